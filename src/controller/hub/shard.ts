/** The clusters that a part of the companion serves. */
export interface Shard {
  /** From 0. */
  readonly index: number;
  /** The number of shards of the hub. */
  readonly count: number;
}

/** All clusters. */
export const wholeHub: Shard = { index: 0, count: 1 };

/** Whether a shard serves a cluster. Each cluster has one shard, which depends only on its name and on the number of shards. */
export function isServed(cluster: string, { index, count }: Shard): boolean {
  return count === 1 || hash(cluster) % count === index;
}

/** FNV-1a with 32 bits, mixed once more, because names of clusters often differ only in their last digits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

import { isServed } from '../../../src/controller/hub/shard.ts';
import type { Write } from './faulty-proxy.ts';

/** A claim of the Lease of a shard, or its release. */
interface Claim {
  readonly holder: string;
  readonly from: number;
  readonly to: number;
}

/** Records what replicas write, and compares it with the Leases of the shards. */
export class ShardRecord {
  writes = 0;
  readonly #count: number;
  /** The claims of each shard, in the order in which they were answered. */
  readonly #claims: Claim[][];
  readonly #clusters: { readonly cluster: string; readonly replica: string; readonly write: Write }[] = [];

  constructor(count: number) {
    this.#count = count;
    this.#claims = Array.from({ length: count }, () => []);
  }

  add(replica: string, write: Write): void {
    const [, shard] =
      /\/leases\/.+-shard-(\d+)$/.exec(write.path) ?? /"name":"[^"]+-shard-(\d+)"/.exec(write.body) ?? [];
    if (write.path.includes('/leases') && shard !== undefined) {
      const isRelease = write.body.includes('"holderIdentity":""');
      this.#claims[Number(shard)]?.push({ holder: isRelease ? '' : replica, from: write.from, to: write.to });
      return;
    }
    const [, cluster] = /\/namespaces\/([^/]+)\/(?:managedclusteraddons|rolebindings)/.exec(write.path) ?? [];
    if (cluster === undefined) return;
    this.writes += 1;
    this.#clusters.push({ cluster, replica, write });
  }

  /** Returns how often each shard has changed its replica. */
  moves(): readonly number[] {
    return this.#claims.map((claims) => {
      const holders = claims.map(({ holder }) => holder).filter((holder) => holder !== '');
      return holders.filter((holder, index) => index > 0 && holder !== holders[index - 1]).length;
    });
  }

  /** Returns the writes of a replica that could not hold the Lease of the cluster's shard at any moment of the write. */
  violations(): readonly string[] {
    return this.#clusters.flatMap(({ cluster, replica, write: { path, from, to } }) => {
      const shard = this.#claims.findIndex((_, index) => isServed(cluster, { index, count: this.#count }));
      const claims = this.#claims[shard] ?? [];
      const last = claims.findLast((claim) => claim.to <= from);
      const during = claims.filter((claim) => claim.to > from && claim.from < to);
      const isHeld = [last, ...during].some((claim) => claim?.holder === replica);
      return isHeld
        ? []
        : [`${replica} wrote ${path} while ${last?.holder || 'nobody'} served shard ${shard}`];
    });
  }
}

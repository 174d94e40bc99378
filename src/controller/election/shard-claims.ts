import { compareText } from '../../base/collections/compare-text.ts';

/** The shards of a replica, by number. */
export interface Claims {
  /** Those that it serves, and does not give up. */
  readonly leads: readonly number[];
  /** Those whose Lease it waits for. */
  readonly waitsFor: readonly number[];
}

/** A replica that renews its claims. */
export interface Replica extends Claims {
  readonly id: string;
}

/**
 * Returns the shards that a replica should serve or wait for, so that all are served and replicas have equally many. It keeps what it
 * serves as far as possible, because another replica would have to fill its caches first.
 *
 * Replicas decide for themselves, and may see each other late. Then a shard has two candidates for a moment, or none. Never do two
 * serve it: the Lease of the shard decides about that.
 *
 * @param others - the other replicas that renew their claims
 * @param count - the number of shards
 */
export function shardsFor(me: Replica, others: readonly Replica[], count: number): readonly number[] {
  const quota = quotaOf(me, others, count);
  const waitsFor = me.waitsFor.filter((shard) => !others.some((other) => comesFirst(other, shard, me)));
  const kept = [...me.leads.toSorted(byNumber), ...waitsFor].slice(0, quota);
  if (kept.length === quota) return kept.toSorted(byNumber);
  const claimed = new Set([...kept, ...others.flatMap(({ leads, waitsFor }) => [...leads, ...waitsFor])]);
  const free = Array.from({ length: count }, (_, shard) => shard).filter((shard) => !claimed.has(shard));
  return [...kept, ...free.slice(0, quota - kept.length)].toSorted(byNumber);
}

/** Of a remainder, replicas that serve more get one more, so that nothing moves without need. */
function quotaOf(me: Replica, others: readonly Replica[], count: number): number {
  const order = [me, ...others].toSorted(
    (a, b) => b.leads.length - a.leads.length || compareText(a.id, b.id),
  );
  const rank = order.indexOf(me);
  return Math.floor(count / order.length) + (rank < count % order.length ? 1 : 0);
}

/** Whether another replica serves a shard, or waits for it and comes first. */
function comesFirst({ id, leads, waitsFor }: Replica, shard: number, me: Replica): boolean {
  return leads.includes(shard) || (waitsFor.includes(shard) && compareText(id, me.id) < 0);
}

function byNumber(a: number, b: number): number {
  return a - b;
}

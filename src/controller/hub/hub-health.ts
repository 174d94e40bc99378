import type { Informer } from '../cache/informer.ts';
import type { LeaderElection } from '../election/leader-election.ts';
import type { ApiObject } from '../../client/object.ts';
import type { Check } from '../operation/health.ts';
import type { WorkQueue } from '../queue/work-queue.ts';

/**
 * The longest times that running work can take, in milliseconds: also with a server that is slow, busy or
 * unavailable.
 */
const limits = { reconcile: 15 * 60_000, cache: 20 * 60_000, lostLease: 60_000 };

/**
 * Returns the checks for faults that only a restart can fix: something waits for an event that never comes. An
 * unavailable API server is no such fault.
 */
export function hubChecks(
  caches: readonly Pick<Informer<ApiObject>, 'resource' | 'silence'>[],
  queues: ReadonlySet<Pick<WorkQueue, 'name' | 'longest'>>,
  election: Pick<LeaderElection, 'overdue'>,
): readonly Check[] {
  return [
    () => {
      const stuck = caches.find(({ silence }) => silence > limits.cache);
      return (
        stuck === undefined ||
        `the cache of ${stuck.resource.plural} has received nothing for ${minutes(stuck.silence)}`
      );
    },
    () => {
      for (const { name, longest } of queues)
        if (longest !== undefined && longest.ms > limits.reconcile)
          return `the queue ${name} has worked on ${longest.key} for ${minutes(longest.ms)}`;
      return true;
    },
    () =>
      election.overdue <= limits.lostLease ||
      `the lease was lost ${minutes(election.overdue)} ago, and work continues`,
  ];
}

function minutes(ms: number): string {
  return `${Math.floor(ms / 60_000)} min`;
}

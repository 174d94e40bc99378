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
  services: Iterable<ServedHub>,
  elections: Iterable<Pick<LeaderElection, 'overdue'>>,
): readonly Check[] {
  return [
    () => {
      for (const { caches } of services)
        for (const { silence, resource } of caches)
          if (silence > limits.cache)
            return `the cache of ${resource.plural} has received nothing for ${minutes(silence)}`;
      return true;
    },
    () => {
      for (const { queues } of services)
        for (const { name, longest } of queues)
          if (longest !== undefined && longest.ms > limits.reconcile)
            return `the queue ${name} has worked on ${longest.key} for ${minutes(longest.ms)}`;
      return true;
    },
    () => {
      for (const { overdue } of elections)
        if (overdue > limits.lostLease)
          return `the lease was lost ${minutes(overdue)} ago, and work continues`;
      return true;
    },
  ];
}

/** The caches and active queues that serve clusters. */
interface ServedHub {
  readonly caches: readonly Pick<Informer<ApiObject>, 'resource' | 'silence'>[];
  readonly queues: Iterable<Pick<WorkQueue, 'name' | 'longest'>>;
}

function minutes(ms: number): string {
  return `${Math.floor(ms / 60_000)} min`;
}

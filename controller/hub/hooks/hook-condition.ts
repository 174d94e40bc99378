import { formatGoDuration } from '../../../kubernetes/go/duration.ts';
import type { Stored } from '../../../kubernetes/client/object.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { DecidedCondition } from '../condition.ts';
import { unreachable } from '../health/available.ts';
import type { HookAttempt } from './hook-attempt.ts';

interface HookFacts {
  /** The name of the work with the hooks. */
  readonly work: string;
  readonly attempt: HookAttempt;
  /** Undefined if the hub no longer has it. */
  readonly cluster: Stored<ManagedClusterV1> | undefined;
  /** The deadline in milliseconds, once it has passed. */
  readonly overdue: number | undefined;
}

/** As addon-framework defaultHookSyncer, with reasons of its own for hooks that failed or take too long. */
export function hookCondition({ work, attempt, cluster, overdue }: HookFacts): DecidedCondition {
  const type = 'HookManifestCompleted';
  if (attempt.isComplete) {
    const message = `hook manifestWork ${work} is completed.`;
    return { type, status: 'True', reason: 'HookManifestIsCompleted', message };
  }
  const problem = attempt.problem ?? problemOf(cluster);
  const within = overdue === undefined ? '' : ` within ${formatGoDuration(overdue)}`;
  const why = problem === undefined ? '' : `: ${problem}`;
  return {
    type,
    status: 'False',
    reason:
      overdue !== undefined
        ? 'HookDeadlineExceeded'
        : attempt.problem === undefined
          ? 'HookManifestIsNotCompleted'
          : 'HookFailed',
    message: `hook manifestWork ${work} is not completed${within}${why}.`,
  };
}

function problemOf(cluster: Stored<ManagedClusterV1> | undefined): string | undefined {
  if (cluster === undefined) return 'the hub no longer has the cluster';
  return unreachable(cluster) === undefined ? undefined : 'the cluster is not available';
}

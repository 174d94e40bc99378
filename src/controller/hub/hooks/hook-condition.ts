import { formatGoDuration } from '../../../base/time/duration.ts';
import type { DecidedCondition } from '../condition.ts';
import { unreachable } from '../health/available.ts';
import type { HookAttempt } from './hook-attempt.ts';
import type { HookRun } from './hook-run.ts';

/** Hooks of an add-on, and what their next step led to. */
export interface HookResult {
  readonly run: Pick<HookRun, 'location' | 'workName' | 'clusterName' | 'cluster'>;
  readonly attempt: HookAttempt;
}

/**
 * As addon-framework defaultHookSyncer, with reasons of its own for hooks that failed or take too long. Two works, of which one is
 * on the hosting cluster, are complete together: in addon-framework, the condition is about one of them.
 *
 * @param overdue the deadline in milliseconds, once it has passed
 */
export function hookCondition(results: readonly HookResult[], overdue: number | undefined): DecidedCondition {
  const type = 'HookManifestCompleted';
  const open = results.filter(({ attempt }) => !attempt.isComplete);
  if (open.length === 0) {
    const message = `${worksAre(results)} completed.`;
    return { type, status: 'True', reason: 'HookManifestIsCompleted', message };
  }
  const problems = open.flatMap(({ run, attempt }) => attempt.problem ?? problemOf(run) ?? []);
  const within = overdue === undefined ? '' : ` within ${formatGoDuration(overdue)}`;
  const why = problems.length === 0 ? '' : `: ${problems.join('; ')}`;
  return {
    type,
    status: 'False',
    reason:
      overdue !== undefined
        ? 'HookDeadlineExceeded'
        : open.every(({ attempt }) => attempt.problem === undefined)
          ? 'HookManifestIsNotCompleted'
          : 'HookFailed',
    message: `${worksAre(open)} not completed${within}${why}.`,
  };
}

function worksAre(results: readonly HookResult[]): string {
  const names = results.map(({ run }) => run.workName);
  return names.length === 1
    ? `hook manifestWork ${names[0]} is`
    : `hook manifestWorks ${names.join(' and ')} are`;
}

function problemOf({ location, clusterName, cluster }: HookResult['run']): string | undefined {
  if (cluster === undefined) return 'the hub no longer has the cluster';
  if (unreachable(cluster) === undefined) return undefined;
  return `${location === 'managed' ? 'the cluster' : `hosting cluster ${clusterName}`} is not available`;
}

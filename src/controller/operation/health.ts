import type { Log } from './log.ts';

/** Returns whether something is healthy; otherwise a sentence with the fault. */
export type Check = () => true | string;

/**
 * Whether all checks pass; otherwise the first fault. A fault is logged when it begins, because a restart does not
 * report its reason.
 */
export function health(checks: Iterable<Check>, log: Log): Check {
  let reported: string | undefined;
  return () => {
    for (const check of checks) {
      const problem = check();
      if (problem === true) continue;
      if (reported === undefined) log.error({ fault: problem }, 'not well');
      reported = problem;
      return problem;
    }
    reported = undefined;
    return true;
  };
}

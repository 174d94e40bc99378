import type { Log } from './log.ts';

/** Whether something is well; a sentence that says why not, otherwise. */
export type Check = () => true | string;

/** Whether all is well; the first fault otherwise, which is logged when it begins: who restarts the process does not say why. */
export function health(checks: Iterable<Check>, log: Log): Check {
  let told: string | undefined;
  return () => {
    for (const check of checks) {
      const found = check();
      if (found === true) continue;
      if (told === undefined) log.error({ fault: found }, 'not well');
      told = found;
      return found;
    }
    told = undefined;
    return true;
  };
}

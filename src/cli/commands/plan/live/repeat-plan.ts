import path from 'node:path';
import { counted } from '../../../../compiler/model/words.ts';
import { terminalLine } from '../../../../compiler/report/text/terminal-line.ts';
import { stopSignal } from '../../../stop-signal.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { repeatOnChange } from '../../../watch/repeat-on-change.ts';
import type { PlanArguments } from '../plan-arguments.ts';
import { LivePlan } from './live-plan.ts';

/** How long the plan may take that is under way when the user stops the command, in milliseconds. */
const longestRun = 120_000;

/** What is done with each plan. */
export interface RepeatedPlan {
  /** @param changed - what caused it, as a sentence. Undefined for the first plan */
  readonly run: (plan: LivePlan, changed: string | undefined, stop: AbortSignal) => Promise<void>;
  /** Called once the plan is under way or is made, with the signal of Ctrl-C. */
  readonly end?: () => Promise<void>;
}

/** Plans, and plans again after each change of files or revisions, until Ctrl-C. */
export async function repeatPlan(
  options: PlanArguments,
  terminal: Terminal,
  { run, end }: RepeatedPlan,
): Promise<void> {
  const stop = stopSignal(longestRun);
  const plan = new LivePlan(options, terminal);
  let changed: string | undefined;
  let files: readonly string[] = [];
  try {
    await repeatOnChange({
      stop,
      read: async () => await plan.read(),
      run: async () => {
        await plan.forget(files);
        await run(plan, changed, stop);
      },
      onChange: (all) => {
        files = all;
        changed = changeWords(all, terminal.cwd);
      },
    });
  } finally {
    await end?.();
    await plan.end();
  }
}

/** Returns `fleet.yaml and 2 more files changed`. The names of revisions are no paths. */
function changeWords(changed: readonly string[], cwd: string): string {
  const [first = ''] = changed.map((name) => (path.isAbsolute(name) ? path.relative(cwd, name) : name));
  const more = changed.length === 1 ? '' : ` and ${counted(changed.length - 1, 'more file')}`;
  return `${terminalLine(first)}${more} changed`;
}

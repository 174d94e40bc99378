import { exitCode, type ExitCode } from '../../../exit-code.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { Stopwatch } from '../../../../workspace/stopwatch.ts';
import { headOf, writeFailure } from '../failed-plan.ts';
import type { PlanArguments } from '../plan-arguments.ts';
import { removeEarlier, type PlanOutput } from '../plan-outputs.ts';
import { printPlanned } from '../print-planned.ts';
import { contentOf } from './plan-pages.ts';
import { repeatPlan } from './repeat-plan.ts';

/** `plan --watch`: prints the plan, and prints it again whenever it differs. */
export async function watchPlan(
  options: PlanArguments,
  outputs: readonly PlanOutput[],
  terminal: Terminal,
): Promise<ExitCode> {
  let shown = '';
  await repeatPlan(options, terminal, {
    run: async (plan, changed, stop) => {
      const texts: (() => void)[] = [];
      let errors = '';
      const held: Partial<Terminal> = {
        out: (text) => texts.push(() => terminal.out(text)),
        err: (text) => {
          errors += text;
          texts.push(() => terminal.err(text));
        },
      };
      const isNew = await plan.answer(async (answer, printing) => {
        const content = 'errors' in answer ? errors : contentOf(answer);
        if (content === shown) return false;
        // Ctrl-C also ends the processes of apps. The failure that follows is not a fault of the sources.
        if (stop.aborted && 'errors' in answer) return false;
        shown = content;
        await removeEarlier(outputs);
        if ('errors' in answer) {
          const { errors: all } = answer;
          const head = await headOf(options.state, terminal.cwd);
          await writeFailure(outputs, { ...head, exitCode: exitCode.failure, errors: all }, printing);
        } else await printPlanned(answer, { options, outputs, watch: new Stopwatch(printing) }, printing);
        return true;
      }, held);
      if (!isNew) return;
      if (changed !== undefined) terminal.err(`\n${changed}\n`);
      for (const print of texts) print();
      if (!stop.aborted) terminal.err('waiting for changes; Ctrl-C ends the command\n');
    },
  });
  return exitCode.clean;
}

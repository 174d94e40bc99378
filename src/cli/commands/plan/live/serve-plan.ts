import { exitCode, type ExitCode } from '../../../exit-code.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import type { PlanArguments } from '../plan-arguments.ts';
import { linkBaseOf } from '../plan-outputs.ts';
import { PlanPages } from './plan-pages.ts';
import { PlanServer } from './plan-server.ts';
import { repeatPlan } from './repeat-plan.ts';

/** `plan --serve`: serves the page of the plan, which follows changes. */
export async function servePlan(options: PlanArguments, terminal: Terminal): Promise<ExitCode> {
  const pages = new PlanPages('events', linkBaseOf(options['link-base']));
  const server = await PlanServer.start(options.port);
  terminal.out(`${server.url}\n`);
  terminal.err('open the page in a browser of this machine; Ctrl-C ends the command\n');
  await repeatPlan({ ...options, output: ['html'] }, terminal, {
    run: async (plan, changed, stop) => {
      server.report({ version: pages.version, isPlanning: true });
      let printed = '';
      const held: Partial<Terminal> = { err: (text) => void (printed += text) };
      const page = await plan.answer(async (answer) => {
        // Ctrl-C also ends the processes of apps.
        const isCanceled = stop.aborted && 'errors' in answer;
        return await Promise.resolve(isCanceled ? undefined : pages.next(answer));
      }, held);
      if (page !== undefined) terminal.err(`${changed === undefined ? '' : `${changed}\n`}${printed}`);
      if (page === undefined) server.report({ version: pages.version, isPlanning: false });
      else server.publish(page.html, page.version);
    },
    end: async () => await server.end(),
  });
  return exitCode.clean;
}

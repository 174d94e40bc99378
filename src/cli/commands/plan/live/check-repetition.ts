import { UserError } from '../../../../workspace/user-error.ts';
import { checkHasStates } from '../compared-states.ts';
import type { PlanArguments } from '../plan-arguments.ts';
import type { PlanOutput } from '../plan-outputs.ts';

/** @throws UserError if the options of a repeated plan contradict each other, or other options */
export function checkRepetition(options: PlanArguments, outputs: readonly PlanOutput[]): void {
  const { watch, serve, port } = options;
  if (port !== undefined) {
    if (!serve) throw new UserError('--port is the port of --serve', 'add --serve');
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new UserError(`--port ${port} is not a valid port`, 'a number from 1 to 65535');
  }
  if (!watch && !serve) return;
  const name = serve ? '--serve' : '--watch';
  if (watch && serve)
    throw new UserError('--serve follows changes on its page, and --watch prints them', 'omit one of them');
  if (options.against !== undefined)
    throw new UserError(
      `${name} follows files and revisions, and --against reads the hub once`,
      'fleetwright status --watch follows the hub',
    );
  checkHasStates(options);
  if (options.timings) throw new UserError(`${name} makes many plans, and --timings measures one`);
  if (options['detailed-exit-code'])
    throw new UserError(
      `${name} ends with Ctrl-C, so it has no exit code of a plan`,
      'omit --detailed-exit-code',
    );
  if (serve && options.output.length > 0)
    throw new UserError('--serve serves the HTML page, and writes no other format', 'omit --output');
  if (serve && options['show-secrets'])
    throw new UserError('--show-secrets requires text output', 'omit --serve');
  if (outputs.some(({ format, file }) => format === 'html' && file === undefined))
    throw new UserError('--watch prints several plans, and -o html is one page', 'use --serve');
}

import { escapeActing, withoutCommands } from '../compiler/report/text/terminal-line.ts';
import { DiagnosedError } from '../workspace/diagnosed-error.ts';
import { systemFailure } from '../workspace/failure.ts';
import { UserError } from '../workspace/user-error.ts';
import { printDiagnostics } from './terminal/print-diagnostics.ts';
import type { Terminal } from './terminal/terminal.ts';

/**
 * Prints an error of the user, or a failure outside of Fleetwright, in a sentence.
 *
 * @throws the error if it is a fault of Fleetwright
 */
export function reportFailure(error: unknown, terminal: Terminal): void {
  if (error instanceof DiagnosedError) {
    printDiagnostics([error.diagnostic], error.texts, terminal);
    return;
  }
  const failure = error instanceof UserError ? error : systemFailure(error);
  if (failure === undefined) throw error;
  const { message, hint } = failure;
  const lines = [`fleetwright: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])];
  terminal.err(`${withoutCommands(escapeActing(lines.join('\n')))}\n`);
}

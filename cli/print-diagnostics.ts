import { hasErrors, type Diagnostic } from '../compiler/diagnostic.ts';
import type { Terminal } from './terminal.ts';

/** Shows findings to a person. Says whether any of them is an error. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  _texts: ReadonlyMap<string, string>,
  terminal: Terminal,
): boolean {
  for (const d of diagnostics)
    terminal.err(`${d.severity} ${d.code}: ${d.message} ${JSON.stringify(d.location)}\n`);
  return hasErrors(diagnostics);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createColors } from 'picocolors';
import { type Diagnostic, diagnosticsAsText, hasErrors, type TextOptions } from '../../compiler/index.ts';
import { isHiddenByQuiet } from '../../workspace/finding-selection.ts';
import type { Terminal } from './terminal.ts';

/** Prints findings for people. Returns whether any of them is an error. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  terminal: Terminal,
): boolean {
  printText(diagnostics, texts, terminal);
  return hasErrors(diagnostics);
}

/** Prints findings for people. */
export function printText(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  terminal: Terminal,
  options: Pick<TextOptions, 'summary' | 'foldedNote'> = {},
): void {
  // Source lines are read lazily, because most runs print none.
  const textOf = (file: string): string | undefined =>
    texts.get(file) ?? readIfPossible(path.resolve(terminal.cwd, file));
  const printed =
    terminal.isQuiet === true ? diagnostics.filter((each) => !isHiddenByQuiet(each)) : diagnostics;
  terminal.err(diagnosticsAsText(printed, { ...options, textOf, colors: createColors(terminal.color) }));
}

function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

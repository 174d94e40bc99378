import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../compiler/index.ts';
import { findingMask } from '../compiler/masks/sensitive-texts.ts';
import { nothingSensitive } from '../compiler/masks/sensitive-values.ts';
import { getOrInsertComputed } from '../base/collections/get-or-insert.ts';
import type { Host } from './host.ts';
import type { Inputs } from './inputs/inputs.ts';

/** Returns a function that masks the sensitive values of inputs in findings: those of Secrets, and those that the workspace names. */
export function maskOf(
  { objects, texts, sensitive = nothingSensitive }: Pick<Inputs, 'objects' | 'texts' | 'sensitive'>,
  { cwd }: Pick<Host, 'cwd'>,
): (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[] {
  const lines = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] =>
    getOrInsertComputed(lines, file, () => (texts.get(file) ?? readSource(file, cwd)).split('\n'));
  return findingMask(
    objects.map(({ object }) => object),
    sensitive,
    ({ file, line }) => linesOf(file)[line - 1],
  );
}

/** Returns the code of an app, whose lines reports show. Empty if it cannot be read: reports then show none. */
function readSource(file: string, cwd: string): string {
  try {
    return readFileSync(path.resolve(cwd, file), 'utf8');
  } catch {
    return '';
  }
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Diagnostic, formatFieldPath } from '../compiler/index.ts';
import { findingMask } from '../compiler/masks/sensitive-texts.ts';
import { nothingSensitive } from '../compiler/masks/sensitive-values.ts';
import { getOrInsertComputed } from '../base/collections/get-or-insert.ts';
import { oncePerPart } from '../base/collections/joined-lists.ts';
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
  const mask = findingMask(contentOf(objects), sensitive, ({ file, line }) => linesOf(file)[line - 1]);
  const changed = changedObjects(objects);
  // Most documents have no findings, and each is asked for.
  return (diagnostics) =>
    diagnostics.length === 0 ? diagnostics : mask(withKustomizeChanges(diagnostics, changed));
}

const contentOf = oncePerPart((part: Inputs['objects']) => part.map(({ object }) => object));

const changedObjects = oncePerPart((part: Inputs['objects']) =>
  part.filter(({ origin }) => origin.changes !== undefined),
);

/**
 * Returns findings with what kustomize changed in the identity of their objects: the file has another name or namespace.
 *
 * @param changed - the objects that kustomize changed
 */
function withKustomizeChanges(
  diagnostics: readonly Diagnostic[],
  changed: Inputs['objects'],
): readonly Diagnostic[] {
  if (changed.length === 0) return diagnostics;
  const changes = new Map(
    changed.map(({ object, origin }) => [
      `${object.kind} ${object.metadata?.name ?? ''}`,
      origin.changes ?? [],
    ]),
  );
  return diagnostics.map((each) => {
    const own = changes.get(`${each.object?.kind ?? ''} ${each.object?.name ?? ''}`) ?? [];
    const related = own
      .filter(({ path: field }) => each.object?.namespace !== undefined || field.at(-1) === 'name')
      .map((change) => ({
        message: `kustomize sets ${formatFieldPath(change.path)}`,
        location: change.location(),
      }))
      .filter(({ location }) => !isDeepStrictEqual(location, each.location));
    return related.length === 0 ? each : { ...each, related: [...(each.related ?? []), ...related] };
  });
}

/** Returns the code of an app, whose lines reports show. Empty if it cannot be read: reports then show none. */
function readSource(file: string, cwd: string): string {
  try {
    return readFileSync(path.resolve(cwd, file), 'utf8');
  } catch {
    return '';
  }
}

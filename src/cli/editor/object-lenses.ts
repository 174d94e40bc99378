import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CodeLens } from 'vscode-languageserver/node';
import { addToGroup } from '../../base/collections/groups.ts';
import { hubPrefix, sentencesOf } from './object-sentences.ts';
import type { Compiled } from './place-answers.ts';
import { objectsInFiles, type ObjectsInFiles, type PlacedObject } from './placed-in-files.ts';
import { rangeOf } from './published-findings.ts';
import type { TextPositions } from './text-positions.ts';

/** What an object says that cannot be compiled with the rest of its app. */
const outdated = 'before the present errors: ';

/**
 * The lines above the objects of open files. While an object is invalid, as often for a moment while the user types, nothing of its app is
 * compiled: the lines stay as they were, because the text would move up and down with each key.
 */
export class ObjectLenses {
  /** The texts of open files whose objects were compiled with them, by URI. */
  readonly #compiledTexts = new Map<string, TextPositions>();
  /** The objects of the last answer that has invalid ones, and of each of its apps as it was before. */
  #before: { readonly compiled: Compiled; readonly objects: ObjectsInFiles } | undefined;

  /** Sees an answer, and the URIs of the files that are open. */
  see(compiled: Compiled, open: Iterable<string>): void {
    const { root, objects, textOf } = compiled;
    // An app as it was needs much memory.
    if (isResolved(compiled)) this.#before = undefined;
    const uris = new Set(open);
    for (const uri of this.#compiledTexts.keys()) if (!uris.has(uri)) this.#compiledTexts.delete(uri);
    for (const uri of uris) {
      const file = fileOf(uri, root);
      if (objects.has(file)) this.#compiledTexts.set(uri, textOf(file));
    }
  }

  /** Returns the lines above the objects of a file. */
  of(uri: string, compiled: Compiled): CodeLens[] {
    if (!uri.startsWith('file:')) return [];
    const file = fileOf(uri, compiled.root);
    const text = compiled.textOf(file);
    const objects = compiled.objects.get(file);
    if (objects !== undefined) return lensesOf(objects, '', text, compiled);
    const before = this.#compiledTexts.get(uri);
    if (before === undefined || isResolved(compiled)) return [];
    const lineNow = text.linesAfter(before);
    if (this.#before?.compiled !== compiled)
      this.#before = { compiled, objects: objectsInFiles(compiled.resolvedUnits) };
    const moved = (this.#before.objects.get(file) ?? []).flatMap((placed) => {
      const line = lineNow(placed.start.line - 1);
      return line === undefined ? [] : [{ ...placed, start: { ...placed.start, line: line + 1 } }];
    });
    return lensesOf(moved, outdated, text, compiled);
  }
}

/** Whether what each app contains is what it contained when it was last compiled. */
function isResolved({ failure, units }: Compiled): boolean {
  return failure === undefined && units.every(({ resolution }) => resolution !== undefined);
}

function lensesOf(
  objects: readonly PlacedObject[],
  prefix: string,
  text: TextPositions,
  { earlier }: Compiled,
): CodeLens[] {
  const byLine = new Map<number, CodeLens[]>();
  for (const placed of objects) {
    // Every app has all clusters of the fleet, which have no line.
    if (placed.admitted.object.kind === 'ManagedCluster') continue;
    const [first, second = ''] = sentencesOf(placed, earlier);
    if (first === undefined) continue;
    const change = second.startsWith('since the last commit') ? `; ${second}` : '';
    addToGroup(byLine, placed.start.line, {
      range: rangeOf(placed.start, () => text),
      command: { title: `${prefix}${hubPrefix(placed)}${first}${change}`, command: '' },
    });
  }
  // One construct can create many objects.
  return [...byLine.values()].flatMap((lenses) => lenses.slice(0, 4));
}

function fileOf(uri: string, root: string): string {
  return path.relative(root, fileURLToPath(uri));
}

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FileLocation } from '../../compiler/index.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/** Limits of the search: the sources come from a request. */
const mostFiles = 500;
const largestFile = 1024 * 1024;

/** A line of the sources. */
interface Line {
  readonly file: string;
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Finds the lines of an app's sources that name an object. No code is run. */
export class SourceLines {
  readonly #folder: string;
  readonly #cwd: string;
  #lines: readonly Line[] | undefined;

  /** @param folder - of the sources, relative to `cwd` */
  constructor(folder: string, cwd: string) {
    this.#folder = folder;
    this.#cwd = cwd;
  }

  /** Whether a line contains a word. */
  mention(word: string): boolean {
    this.#lines ??= [...linesIn(this.#folder, this.#cwd)];
    const written = new RegExp(`\\b${word}\\b`);
    return this.#lines.some(({ text }) => written.test(text));
  }

  /**
   * Returns the line that most likely creates an object: one with its name as a string, or with the start of its name up to a
   * hyphen, as in `${name}-${version}`; undefined if no line does.
   */
  of({ kind, metadata }: KubernetesObject): FileLocation | undefined {
    const name: unknown = metadata?.name;
    if (typeof name !== 'string' || typeof kind !== 'string') return undefined;
    this.#lines ??= [...linesIn(this.#folder, this.#cwd)];
    const exact = bestLine(this.#lines, name, kind);
    if (exact !== undefined) return exact;
    const [, version] = /-(v?\d+(?:\.\d+)*)$/.exec(name) ?? [];
    return version === undefined
      ? undefined
      : bestLine(this.#lines, name.slice(0, -version.length - 1), kind, true);
  }
}

/**
 * @param mustCreate - whether only a line that creates an object of the kind counts
 */
function bestLine(
  lines: readonly Line[],
  name: string,
  kind: string,
  mustCreate = false,
): FileLocation | undefined {
  let best: { readonly line: Line; readonly rank: number } | undefined;
  for (const line of lines) {
    if (!["'", '"', '`'].some((quote) => line.text.includes(quote + name + quote))) continue;
    const [, created = ''] = /\bnew\s+(?:\w+\.)*(\w+)/.exec(line.text) ?? [];
    const isOfKind = created !== '' && areAlike(created, kind);
    if (mustCreate && !isOfKind) continue;
    const rank = isOfKind ? 3 : created !== '' ? 1 : /\bname\b/.test(line.text) ? 2 : 0;
    if (best === undefined || rank > best.rank) best = { line, rank };
  }
  if (best === undefined) return undefined;
  const { file, number, text } = best.line;
  return { file, line: number, column: text.length - text.trimStart().length + 1 };
}

/** `HelmTemplate` creates an `AddOnTemplate`: the last word of both is the same. */
function areAlike(created: string, kind: string): boolean {
  const lastWord = (text: string): string => /[A-Z][a-z0-9]*$/.exec(text)?.[0] ?? text;
  return created === kind || kind.endsWith(created) || lastWord(created) === lastWord(kind);
}

/** Yields the lines of the code in a folder and the folders in it. Links are not followed. */
function* linesIn(folder: string, cwd: string): Generator<Line> {
  let files = 0;
  const folders = [folder];
  for (let each = folders.shift(); each !== undefined && files < mostFiles; each = folders.shift()) {
    const entries = entriesOf(path.resolve(cwd, each));
    for (const { name, isFolder } of entries) {
      const file = path.join(each, name);
      if (isFolder) folders.push(file);
      else if (/\.(?:[cm]?[jt]sx?|ya?ml|json)$/.test(name) && files < mostFiles) {
        files += 1;
        yield* linesOf(file, cwd);
      }
    }
  }
}

function* linesOf(file: string, cwd: string): Generator<Line> {
  const place = path.resolve(cwd, file);
  if (lstatSync(place).size > largestFile) return;
  const lines = readFileSync(place, 'utf8').split('\n');
  for (const [index, text] of lines.entries()) yield { file, number: index + 1, text };
}

function entriesOf(folder: string): { name: string; isFolder: boolean }[] {
  try {
    if (!lstatSync(folder).isDirectory()) return [];
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => (entry.isFile() || entry.isDirectory()) && !/^\.|^node_modules$/.test(entry.name))
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => Number(a.isFolder) - Number(b.isFolder) || (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

import { fieldsOf, text, texts, type Fields } from '../../client/fields.ts';
import { UserError } from '../user-error.ts';
import { parseYaml } from '../inputs/bounded-yaml.ts';

/** A version of a chart in an index. */
export interface IndexEntry {
  readonly version: string;
  /** The addresses of the archive, absolute or relative to the index. */
  readonly urls: readonly string[];
  /** The SHA-256 of the archive, in hexadecimal digits. */
  readonly digest: string | undefined;
}

/**
 * Returns the versions of a chart in the `index.yaml` of a repository. Only the lines of this chart are parsed, because an index
 * can have millions of lines.
 *
 * @param file - the URL of the index, for messages
 * @throws UserError if the index is not valid, or does not have the chart
 */
export function chartInIndex(file: string, content: string, chart: string): readonly IndexEntry[] {
  const isJson = /^\s*\{/.test(content);
  const block = isJson ? undefined : blockOf(content, chart);
  const entries = isJson ? entriesOfJson(file, content) : entriesOfYaml(file, block);
  const own = entries[chart];
  if (!Array.isArray(own)) {
    const names = isJson ? Object.keys(entries) : namesIn(content);
    throw new UserError(
      `${file} has no chart ${JSON.stringify(chart)}`,
      names.length === 0 ? 'the index has no charts' : `it has ${listed(names)}`,
    );
  }
  return own.map(fieldsOf).flatMap((entry): IndexEntry[] => {
    const version = text(entry?.['version']);
    if (entry === undefined || version === undefined) return [];
    return [{ version, urls: texts(entry['urls']), digest: text(entry['digest'])?.replace(/^sha256:/, '') }];
  });
}

const mostNames = 20;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => JSON.stringify(name).slice(1, -1));
  return `${shown.join(', ')}${names.length > mostNames ? ` and ${names.length - mostNames} others` : ''}`;
}

function entriesOfJson(file: string, content: string): Fields {
  try {
    const entries = fieldsOf(fieldsOf(JSON.parse(content))?.['entries']);
    if (entries !== undefined) return entries;
  } catch {
    // reported below
  }
  throw notAnIndex(file);
}

function entriesOfYaml(file: string, block: string | undefined): Fields {
  if (block === undefined) return {};
  const document = parseYaml(file, block, { syntaxError: () => notAnIndex(file) });
  return fieldsOf(document.toJS()) ?? {};
}

function notAnIndex(file: string): UserError {
  return new UserError(`${file} is not the index of a chart repository`, 'use the URL of the repository');
}

/** A key of a map in block style, with nothing behind it. */
const keyLine =
  /^ *(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#&*!|>%@`-][^\s:#]*|-[^\s:#]+)) *: *(?:#.*)?$/;

interface EntryLine {
  /** Undefined for the line after the last entry. */
  readonly name: string | undefined;
  /** The offset of its first character. */
  readonly start: number;
}

/** Returns the lines of one chart under `entries`; undefined if there are none. */
function blockOf(content: string, chart: string): string | undefined {
  let start: number | undefined;
  for (const line of entryLines(content)) {
    if (start !== undefined) return content.slice(start, line.start);
    if (line.name === chart) start = line.start;
  }
  return undefined;
}

function namesIn(content: string): readonly string[] {
  return Array.from(entryLines(content), ({ name }) => name).filter((name) => name !== undefined);
}

/** The keys directly below `entries`, then the end. Other lines of a map in block style are deeper, or items of lists. */
function* entryLines(content: string): Generator<EntryLine> {
  const entries = /^entries: *(?:#.*)?\r?$/m.exec(content);
  if (entries === null) return;
  let indentation: number | undefined;
  let start = entries.index + entries[0].length + 1;
  while (start < content.length) {
    const lineEnd = content.indexOf('\n', start);
    const end = lineEnd < 0 ? content.length : lineEnd + 1;
    const depth = depthAt(content, start);
    if (depth !== undefined) {
      indentation ??= depth;
      if (depth === 0 || depth < indentation) break;
      const key = depth === indentation ? keyLine.exec(content.slice(start, end).trimEnd()) : null;
      if (key !== null) {
        const [, double, single, plain] = key;
        yield { name: double ?? single?.replaceAll("''", "'") ?? plain, start };
      }
    }
    start = end;
  }
  yield { name: undefined, start: Math.min(start, content.length) };
}

/** Returns the indentation of a line; undefined for one that is empty or a comment. */
function depthAt(content: string, start: number): number | undefined {
  let at = start;
  while (content.charAt(at) === ' ') at += 1;
  return ['\n', '\r', '#', ''].includes(content.charAt(at)) ? undefined : at - start;
}

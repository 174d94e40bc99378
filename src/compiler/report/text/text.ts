import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { codes, type Code } from '../../model/codes.ts';
import type { Diagnostic, ObjectReference, RelatedLocation } from '../../model/diagnostic.ts';
import type { Severity } from '../../model/codes.ts';
import { SourceFile } from '../../load/source-file.ts';
import type { FileLocation, Location } from '../../model/origin.ts';
import { withConsequences } from '../consequences.ts';
import { excerpt } from './excerpt.ts';
import { countSeverities, inReportOrder, type Counts } from '../order.ts';
import { terminalLine } from './terminal-line.ts';

/** Colors a text. */
export type Paint = (text: string) => string;

/** Functions that color a text. picocolors provides all of them. */
export interface Colors {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

/** The options of `diagnosticsAsText`. */
export interface TextOptions {
  /** Returns the text of a file, for the lines that diagnostics refer to. Undefined if the file is not available. */
  readonly textOf: (file: string) => string | undefined;
  /** @default - no colors */
  readonly colors?: Colors;
  /**
   * The maximum number of diagnostics per code. Further ones are only counted.
   * @default 10
   */
  readonly limit?: number;
  /**
   * Whether the last line counts the diagnostics.
   * @default true
   */
  readonly summary?: boolean;
  /**
   * Folds the consequences of a finding into a line below it that counts them, and ends with this text: where to find them.
   * @default - all findings are printed
   */
  readonly foldedNote?: string;
}

const noColors: Colors = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  yellow: (text) => text,
  cyan: (text) => text,
};

/**
 * Formats diagnostics for a terminal: errors first, each with its location, the source line and a hint, followed by a summary.
 * Empty if there are none.
 */
export function diagnosticsAsText(
  diagnostics: readonly Diagnostic[],
  { textOf, colors = noColors, limit = 10, summary = true, foldedNote }: TextOptions,
): string {
  if (diagnostics.length === 0) return '';
  const writer = new TextWriter(textOf, colors);
  const seen = new Map<Code, { readonly severity: Severity; count: number }>();
  const blocks: string[] = [];
  const ordered = inReportOrder(diagnostics);
  const printed =
    foldedNote === undefined
      ? ordered.map((finding) => ({ finding, consequences: [] }))
      : withConsequences(ordered);
  for (const { finding, consequences } of printed) {
    const { code, severity } = finding;
    const same = getOrInsertComputed(seen, code, () => ({ severity, count: 0 }));
    same.count += 1;
    if (same.count > limit) continue;
    const note =
      consequences.length === 0 ? undefined : `${consequenceWords(consequences)}${foldedNote ?? ''}`;
    blocks.push(writer.diagnostic(finding, note));
  }
  for (const [code, { severity, count }] of seen) {
    if (count > limit) blocks.push(writer.folded(code, severity, count - limit));
  }
  if (summary) blocks.push(`${countsText(countSeverities(diagnostics), colors)}\n`);
  return blocks.join('\n');
}

/** Returns the numbers of diagnostics: `2 errors, 1 warning`. */
export function countsText({ error, warning, info }: Counts, colors: Colors = noColors): string {
  return [
    ...counted(error, 'error', colors.red),
    ...counted(warning, 'warning', colors.yellow),
    ...counted(info, 'info', colors.cyan),
  ].join(', ');
}

class TextWriter {
  readonly #textOf: (file: string) => string | undefined;
  readonly #colors: Colors;
  readonly #files = new Map<string, SourceFile | undefined>();

  constructor(textOf: (file: string) => string | undefined, colors: Colors) {
    this.#textOf = textOf;
    this.#colors = colors;
  }

  /** @param consequences - the number of findings below this one */
  diagnostic(
    { code, severity, message, object, path, location, hint, related = [], hidesSource = false }: Diagnostic,
    consequences?: string,
  ): string {
    const { bold } = this.#colors;
    const place = placeInFile(location);
    const gutter = ' '.repeat(place === undefined ? 1 : String(place.line).length);
    const lines = [`${this.#severity(severity)(`${severity} ${code}`)}${bold(`: ${terminalLine(message)}`)}`];
    if (location !== undefined) lines.push(`${gutter}${this.#frame('-->')} ${describePlace(location)}`);
    if (place !== undefined && !hidesSource && !isSecretField(object, path))
      lines.push(...this.#source(place, gutter, severity));
    const remark = (name: string, text: string): void => {
      lines.push(`${gutter} ${this.#frame('=')} ${bold(name)}: ${terminalLine(text)}`);
    };
    if (object !== undefined && object.kind + object.name !== '') remark('object', describeObject(object));
    if (path !== undefined) remark('field', path);
    if (hint !== undefined) remark('hint', hint);
    for (const place of related) remark('see', describeRelated(place));
    if (consequences !== undefined) remark('consequences', consequences);
    return `${lines.join('\n')}\n`;
  }

  folded(code: Code, severity: Severity, count: number): string {
    const { title } = codes[code];
    return `${this.#severity(severity)(`${severity} ${code}`)}: ${count} more like this (${title})\n`;
  }

  #source(place: FileLocation, gutter: string, severity: Severity): string[] {
    const line = this.#file(place.file)?.line(place.line);
    if (line === undefined) return [];
    const { text, caret } = excerpt(line, place.column);
    const bar = this.#frame('|');
    const pointer = this.#severity(severity)('^');
    return [
      `${gutter} ${bar}`,
      `${this.#frame(String(place.line))} ${bar} ${text}`,
      `${gutter} ${bar} ${' '.repeat(caret)}${pointer}`,
    ];
  }

  #file(name: string): SourceFile | undefined {
    if (!this.#files.has(name)) {
      const text = this.#textOf(name);
      const isShown = text !== undefined && !isBinary(text);
      this.#files.set(name, isShown ? new SourceFile(name, text) : undefined);
    }
    return this.#files.get(name);
  }

  #severity(severity: Severity): Paint {
    const { red, yellow, cyan } = this.#colors;
    return { error: red, warning: yellow, info: cyan }[severity];
  }

  #frame(text: string): string {
    return this.#colors.dim(text);
  }
}

/** Returns `3 more findings: FW7020, 2 of FW7204`. */
function consequenceWords(consequences: readonly Diagnostic[]): string {
  const counts = new Map<Code, number>();
  for (const { code } of consequences) counts.set(code, (counts.get(code) ?? 0) + 1);
  const words = Array.from(counts, ([code, count]) => (count === 1 ? code : `${count} of ${code}`));
  const findings = consequences.length === 1 ? '1 more finding' : `${consequences.length} more findings`;
  return `${findings}: ${words.join(', ')}`;
}

/**
 * Returns whether a field is content of a Secret, or of an embedded object that may be a Secret. Its line must not appear in a
 * log.
 */
function isSecretField(object: ObjectReference | undefined, path = ''): boolean {
  const pattern = object?.kind === 'Secret' ? /^(?:data|stringData)\b/ : /[.\]](?:data|stringData)\b/;
  return pattern.test(path);
}

function placeInFile(location: Location | undefined): FileLocation | undefined {
  if (location === undefined) return undefined;
  return 'file' in location ? location : location.source;
}

function describePlace(location: Location): string {
  if ('file' in location) return describeFile(location);
  const { construct, source } = location;
  return terminalLine(construct) + (source === undefined ? '' : ` (${describeFile(source)})`);
}

function describeFile({ file, line, column }: FileLocation): string {
  return `${terminalLine(file)}:${line}:${column}`;
}

function describeObject({ kind, namespace, name }: ObjectReference): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function describeRelated({ message, location }: RelatedLocation): string {
  return location === undefined ? message : `${message}, ${describePlace(location)}`;
}

function counted(count: number, noun: string, paint: Paint): string[] {
  return count === 0
    ? []
    : [paint(count === 1 || noun === 'info' ? `${count} ${noun}` : `${count} ${noun}s`)];
}

/** Whether a file has no lines to show, such as the archive of a chart. As Git, by a NUL near its start. */
function isBinary(text: string): boolean {
  return text.slice(0, 8000).includes('\0');
}

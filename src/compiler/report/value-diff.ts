import { diffArrays } from 'diff';
import { yamlDocument } from '../emit/yaml.ts';
import type { ValueChange } from '../compare/change.ts';
import { changedSecretMask, secretMask } from '../masks/secrets.ts';
import { messageJson } from '../../base/json/message-json.ts';

/** One line of a value: removed, added, or context. */
export interface DiffLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** The number of equal lines shown before and after those that differ. */
const context = 2;
const longestLine = 300;
/**
 * The number of removed and added lines at which the search for the shortest difference stops. The search takes quadratic time.
 */
const mostEdits = 200;

/** The two sides of a value that is different. */
export type ValueSides = Pick<ValueChange, 'before' | 'after' | 'secret'>;

/**
 * Returns the differences of a value, line by line if a side is a multi-line text, or a list or mapping, which is formatted as
 * YAML. Other values are one line of JSON each. Long lines are cut, and lines beyond the limit are omitted.
 *
 * @param mostLines - the maximum number of lines in a run of equal signs; the others are counted
 */
export function valueDiff(sides: ValueSides, mostLines = 60): DiffLine[] {
  const { before: from, after: to } = sides;
  if (isText(from) && isText(to) && isBlock(sides))
    return linesDiff(from.split('\n'), to.split('\n'), mostLines);
  const [before, after] = [blockOf(from), blockOf(to)];
  if (before !== undefined && after !== undefined) return linesDiff(before, after, mostLines);
  const { gone, there } = shownSides(sides, longestLine);
  return [
    ...signed('-', before ?? (gone === undefined ? [] : [gone]), mostLines),
    ...signed('+', after ?? (there === undefined ? [] : [there]), mostLines),
  ];
}

/** Returns whether a side of a value takes several lines. */
export function isBlock({ before, after }: ValueSides): boolean {
  return blockOf(before) !== undefined || blockOf(after) !== undefined;
}

/** Returns the lines of a multi-line value, or undefined for any other value. */
function blockOf(value: unknown): readonly string[] | undefined {
  if (isText(value)) return value.includes('\n') ? value.split('\n') : undefined;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return undefined;
  const isScalarList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
  return isScalarList ? undefined : yamlDocument(value).trimEnd().split('\n');
}

/** Omits equal lines that are not next to a difference. */
function linesDiff(before: readonly string[], after: readonly string[], mostLines: number): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return [
    ...equalLines(before.slice(0, start), { isFirst: true, isLast: false }),
    ...changedLines(removed, added, mostLines),
    ...equalLines(after.slice(after.length - end), { isFirst: false, isLast: true }),
  ];
}

/** Returns the lines from the first difference to the last. */
function changedLines(before: readonly string[], after: readonly string[], mostLines: number): DiffLine[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: mostEdits });
  if (parts === undefined) return [...signed('-', before, mostLines), ...signed('+', after, mostLines)];
  return parts.flatMap(({ value, added, removed }) =>
    added || removed
      ? signed(added ? '+' : '-', value, mostLines)
      : equalLines(value, { isFirst: false, isLast: false }),
  );
}

/** Returns the equal lines next to a difference. Omitted lines are shown as `…`. */
function equalLines(
  lines: readonly string[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): DiffLine[] {
  const [head, tail] = [isFirst ? 0 : context, isLast ? 0 : context];
  if (lines.length <= head + tail) return signed(' ', lines, lines.length);
  return signed(' ', [...lines.slice(0, head), '…', ...lines.slice(lines.length - tail)], lines.length);
}

function signed(sign: DiffLine['sign'], lines: readonly string[], mostLines: number): DiffLine[] {
  const shown = lines.slice(0, mostLines).map((line) => ({ sign, text: visible(cut(line, longestLine)) }));
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, { sign, text: `… and ${more} more lines` }];
}

/** Replaces the characters that move the cursor with visible marks. */
function visible(line: string): string {
  return line.replaceAll('\t', '→').replaceAll('\r', '\\r');
}

/** The number of characters before the difference from which two long values are shown. Equal text before them is omitted. */
const lead = 20;

/** Returns the sides of a value on one line each. A masked secret is shown as its mask. */
export function shownSides(
  { before, after, secret }: ValueSides,
  longest: number,
): { readonly gone: string | undefined; readonly there: string | undefined } {
  if (secret !== true || !isText(before ?? '') || !isText(after ?? ''))
    return shortenedSides(before, after, longest);
  const [gone, there] = [before, after].map((side) => (isText(side) && isMask(side) ? side : undefined));
  return gone === undefined && there === undefined ? shortenedSides(before, after, longest) : { gone, there };
}

function isMask(text: string): boolean {
  return text === secretMask || text === changedSecretMask;
}

/**
 * Returns two values as JSON, each on one line of at most `longest` characters. If they are longer and begin with equal text,
 * that text is omitted, so that the difference is visible.
 */
export function shortenedSides(
  before: unknown,
  after: unknown,
  longest: number,
): { readonly gone: string | undefined; readonly there: string | undefined } {
  const gone = before === undefined ? undefined : messageJson(before);
  const there = after === undefined ? undefined : messageJson(after);
  if (gone === undefined || there === undefined || Math.max(gone.length, there.length) <= longest)
    return { gone: gone && cut(gone, longest), there: there && cut(there, longest) };
  let same = 0;
  while (same < gone.length && gone[same] === there[same]) same++;
  const skipped = same > longest / 2 ? same - lead : 0;
  const rest = (text: string): string =>
    cut(skipped === 0 ? text : `…${text.slice(skipped).replace(/^[\uDC00-\uDFFF]/, '')}`, longest);
  return { gone: rest(gone), there: rest(there) };
}

/** Cuts only between characters, because half of a surrogate pair cannot be encoded as UTF-8. */
function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

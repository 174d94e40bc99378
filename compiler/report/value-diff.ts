import type { ValueChange } from '../plan/change.ts';

/** One line of what a value was or is: gone, new, or there for orientation. */
export interface DiffLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Equal lines that are shown before and after those that differ. */
const context = 2;
const mostLines = 60;
const longestLine = 300;

/**
 * How a value differs, line by line where it is a text of several lines. What is equal at both ends is left out, so that the
 * work is linear; lines and what they hold are cut where they are many or long.
 */
export function valueDiff({ before, after }: Pick<ValueChange, 'before' | 'after'>): DiffLine[] {
  if (isText(before) && isText(after) && (before.includes('\n') || after.includes('\n')))
    return textDiff(before.split('\n'), after.split('\n'));
  const { gone, there } = shortenedSides(before, after, longestLine);
  return [
    ...signed('-', gone === undefined ? [] : [gone]),
    ...signed('+', there === undefined ? [] : [there]),
  ];
}

function textDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const from = Math.max(0, start - context);
  const to = Math.max(0, end - context);
  return [
    ...(from === 0 ? [] : signed(' ', ['…'])),
    ...signed(' ', before.slice(from, start)),
    ...signed('-', before.slice(start, before.length - end)),
    ...signed('+', after.slice(start, after.length - end)),
    ...signed(' ', after.slice(after.length - end, after.length - to)),
    ...(to === 0 ? [] : signed(' ', ['…'])),
  ];
}

function signed(sign: DiffLine['sign'], lines: readonly string[]): DiffLine[] {
  const shown = lines.slice(0, mostLines).map((line) => ({ sign, text: cut(line, longestLine) }));
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, { sign, text: `… and ${more} more lines` }];
}

/** Before this part of two long values what is equal in both is left out. */
const lead = 20;

/**
 * Two values as JSON, each on one line of at most `longest` characters. Where they are longer and begin alike, the beginning
 * is left out, so that the difference can be seen.
 */
export function shortenedSides(
  before: unknown,
  after: unknown,
  longest: number,
): { readonly gone: string | undefined; readonly there: string | undefined } {
  const gone = before === undefined ? undefined : jsonOf(before);
  const there = after === undefined ? undefined : jsonOf(after);
  if (gone === undefined || there === undefined || Math.max(gone.length, there.length) <= longest)
    return { gone: gone && cut(gone, longest), there: there && cut(there, longest) };
  let same = 0;
  while (same < gone.length && gone[same] === there[same]) same++;
  const skipped = same > longest / 2 ? same - lead : 0;
  const rest = (text: string): string =>
    cut(skipped === 0 ? text : `…${text.slice(skipped).replace(/^[\uDC00-\uDFFF]/, '')}`, longest);
  return { gone: rest(gone), there: rest(there) };
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}

/** Never through the middle of a character: half of one cannot be written as UTF-8. */
function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

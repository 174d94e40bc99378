import {
  bytesOf,
  byteLength,
  byteSlice,
  compareBytes,
  FunctionError,
  formatValue,
  goFunction,
  listItems,
  printFormat,
  TypedList,
  TypedMap,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';
import { checkLength, goInt, intArgument, repeated, textList, toText } from './conversion.ts';

type Texts = readonly string[];

/** Defines a function whose arguments are texts. */
function ofTexts(signature: string, call: (...texts: Texts) => Value): GoFunction {
  return goFunction(signature, (args) => call(...(args as Texts)));
}

const space =
  /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

/** Functions that cut, join and search texts. */
export const textFunctions: Readonly<Record<string, GoFunction>> = {
  hello: goFunction(' -> string', () => 'Hello!'),
  trim: ofTexts('string -> string', (text = '') => text.replaceAll(space, '')),
  trimall: ofTexts('string, string -> string', (set = '', text = '') => trimmed(text, set)),
  trimAll: ofTexts('string, string -> string', (set = '', text = '') => trimmed(text, set)),
  trimSuffix: ofTexts('string, string -> string', (suffix = '', text = '') =>
    text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text,
  ),
  trimPrefix: ofTexts('string, string -> string', (prefix = '', text = '') =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  contains: ofTexts('string, string -> bool', (part = '', text = '') => text.includes(part)),
  hasPrefix: ofTexts('string, string -> bool', (prefix = '', text = '') => text.startsWith(prefix)),
  hasSuffix: ofTexts('string, string -> bool', (suffix = '', text = '') => text.endsWith(suffix)),
  replace: ofTexts('string, string, string -> string', (from = '', to = '', text = '') => {
    checkLength((text.length + 1) * Math.max(1, to.length));
    return replaced(text, from, to);
  }),
  repeat: goFunction('int, string -> string', ([count, text]) =>
    repeated(text as string, intArgument(count)),
  ),
  trunc: goFunction('int, string -> string', ([count, text]) =>
    truncated(text as string, intArgument(count)),
  ),
  substr: goFunction('int, int, string -> string', ([start, end, text]) =>
    substring(text as string, intArgument(start), intArgument(end)),
  ),
  quote: goFunction('...any -> string', (values) =>
    withoutNil(values)
      .map((value) => printFormat('%q', [toText(value)]))
      .join(' '),
  ),
  squote: goFunction('...any -> string', (values) =>
    withoutNil(values)
      .map((value) => `'${formatValue(value)}'`)
      .join(' '),
  ),
  cat: goFunction('...any -> string', (values) => withoutNil(values).map(formatValue).join(' ')),
  indent: goFunction('int, string -> string', ([spaces, text]) =>
    indented(text as string, intArgument(spaces)),
  ),
  nindent: goFunction(
    'int, string -> string',
    ([spaces, text]) => `\n${indented(text as string, intArgument(spaces))}`,
  ),
  plural: goFunction('string, string, int -> string', ([one = '', many = '', count]) =>
    intArgument(count) === 1 ? one : many,
  ),
  toString: goFunction('any -> string', ([value]) => toText(value)),
  toStrings: goFunction('any -> []string', ([value]) => toTexts(value)),
  join: goFunction('string, any -> string', ([separator, value]) => {
    const texts = toTexts(value).items as Texts;
    checkLength(texts.length * (separator as string).length);
    return texts.join(separator as string);
  }),
  sortAlpha: goFunction('any -> []string', ([value]) =>
    listItems(value) === undefined
      ? textList([toText(value)])
      : textList((toTexts(value).items as Texts).toSorted(compareBytes)),
  ),
  splitList: ofTexts('string, string -> []string', (separator = '', text = '') =>
    textList(split(text, separator)),
  ),
  split: ofTexts('string, string -> map[string]string', (separator = '', text = '') =>
    numbered(split(text, separator)),
  ),
  splitn: goFunction('string, int, string -> map[string]string', ([separator, count, text]) =>
    numbered(split(text as string, separator as string, intArgument(count))),
  ),
  atoi: ofTexts('string -> int', (text = '') => {
    const value = /^[-+]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : 0n;
    if (value > 2n ** 63n - 1n) return goInt(2n ** 63n - 1n);
    return goInt(value < -(2n ** 63n) ? -(2n ** 63n) : value);
  }),
};

function withoutNil(values: readonly Value[]): Value[] {
  return values.filter((value) => value !== null && value !== undefined);
}

function trimmed(text: string, set: string): string {
  const characters = new Set(set);
  let rest = Array.from(text);
  const first = rest.findIndex((each) => !characters.has(each));
  if (first < 0) return '';
  rest = rest.slice(first);
  while (characters.has(rest.at(-1) ?? '')) rest.pop();
  return rest.join('');
}

/** As strings.ReplaceAll: an empty text is before and after each character. */
function replaced(text: string, from: string, to: string): string {
  return from === ''
    ? [to, ...Array.from(text, (each) => each + to)].join('')
    : text.replaceAll(from, () => to);
}

function truncated(text: string, count: number): string {
  const size = byteLength(text);
  if (count < 0 && size + count > 0) return byteSlice(text, size + count);
  return count >= 0 && size > count ? byteSlice(text, 0, count) : text;
}

function substring(text: string, start: number, end: number): string {
  const size = byteLength(text);
  if (start < 0) return bounded(text, 0, end, size, `:${String(end)}`);
  if (end < 0 || end > size) return bounded(text, start, size, size, `${String(start)}:`);
  return bounded(text, start, end, size, '');
}

function bounded(text: string, start: number, end: number, size: number, range: string): string {
  const problem = (detail: string): FunctionError =>
    new FunctionError(`runtime error: slice bounds out of range ${detail}`);
  if (end < 0) throw problem(`[:${String(end)}]`);
  if (end > size) throw problem(`[:${String(end)}] with length ${String(size)}`);
  if (start > end)
    throw problem(
      `[${range === '' ? `${String(start)}:${String(end)}` : `${String(start)}:${String(size)}`}]`,
    );
  return byteSlice(text, start, end);
}

function indented(text: string, spaces: number): string {
  const padding = repeated(' ', spaces);
  checkLength(text.length + padding.length * text.split('\n').length);
  return padding + text.replaceAll('\n', `\n${padding}`);
}

/** As sprig's strslice: the texts of a list without nil. */
export function toTexts(value: Value): TypedList {
  if (value instanceof TypedList && value.type === '[]string') return value;
  const items = listItems(value);
  if (items !== undefined) return textList(withoutNil(items).map(toText));
  return textList(value === null || value === undefined ? [] : [toText(value)]);
}

/** As strings.SplitN. */
export function split(text: string, separator: string, count = -1): string[] {
  if (count === 0) return [];
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (count < 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function numbered(parts: readonly string[]): TypedMap {
  return new TypedMap(
    'map[string]string',
    new Map(parts.map((part, index) => [`_${String(index)}`, part])),
    'string',
  );
}

/** Texts whose length in bytes decides. */
export function byteTexts(text: string): string[] {
  return Array.from(bytesOf(text), (byte) => String.fromCodePoint(byte));
}

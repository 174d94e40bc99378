import type { CelBehaviour } from '../behaviour.ts';
import { dyn, int, listOf, method, overload, text } from '../function.ts';
import type { FunctionDeclaration } from '../function.ts';
import { intType, listType, stringType } from '../check/types.ts';
import { CelList } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult } from '../values/value.ts';
import { formatString } from './string-format.ts';

/** cel-go's strings extension, its latest version. Positions count code points. */
export function stringsFunctions(behaviour: CelBehaviour): readonly FunctionDeclaration[] {
  return [
    { name: 'charAt', overloads: [method('string_char_at_int', [text, int], stringType, charAt)] },
    ...indexFunctions(behaviour),
    ...caseFunctions,
    {
      name: 'replace',
      overloads: [
        method('string_replace_string_string', [text, text, text], stringType, (string, from, to) =>
          replace(string, from, to, -1n),
        ),
        method('string_replace_string_string_int', [text, text, text, int], stringType, replace),
      ],
    },
    {
      name: 'split',
      overloads: [
        method('string_split_string', [text, text], listType(stringType), (string, by) =>
          split(string, by, -1n),
        ),
        method('string_split_string_int', [text, text, int], listType(stringType), split),
      ],
    },
    {
      name: 'substring',
      overloads: [
        method('string_substring_int', [text, int], stringType, (string, start) => substring(string, start)),
        method('string_substring_int_int', [text, int, int], stringType, substring),
      ],
    },
    { name: 'trim', overloads: [method('string_trim', [text], stringType, trim)] },
    {
      name: 'format',
      overloads: [
        {
          ...method('string_format', [text, listOf(dyn)], stringType, (format, args) =>
            formatString(format, args, behaviour),
          ),
          sequential: true,
        },
      ],
    },
    { name: 'strings.quote', overloads: [overload('strings_quote', [text], stringType, quote)] },
    {
      name: 'join',
      overloads: [
        method('list_join', [listOf(text)], stringType, (list) => join(list, '')),
        method('list_join_string', [listOf(text), text], stringType, join),
      ],
    },
    {
      name: 'reverse',
      overloads: [
        method('string_reverse', [text], stringType, (string) => Array.from(string).toReversed().join('')),
      ],
    },
  ];
}

function indexFunctions({ boundsEmptyNeedle }: CelBehaviour): readonly FunctionDeclaration[] {
  const indexFrom = (string: string, part: string, offset: bigint) =>
    indexOf(Array.from(string), Array.from(part), offset, boundsEmptyNeedle);
  const lastIndexFrom = (string: string, part: string, offset: bigint) =>
    lastIndexOf(Array.from(string), Array.from(part), offset, boundsEmptyNeedle);
  return [
    {
      name: 'indexOf',
      overloads: [
        method('string_index_of_string', [text, text], intType, (string, part) =>
          indexFrom(string, part, 0n),
        ),
        method('string_index_of_string_int', [text, text, int], intType, indexFrom),
      ],
    },
    {
      name: 'lastIndexOf',
      overloads: [
        method('string_last_index_of_string', [text, text], intType, lastIndexInAll),
        method('string_last_index_of_string_int', [text, text, int], intType, lastIndexFrom),
      ],
    },
  ];
}

const caseFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'lowerAscii',
    overloads: [
      method('string_lower_ascii', [text], stringType, (string) =>
        string.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
      ),
    ],
  },
  {
    name: 'upperAscii',
    overloads: [
      method('string_upper_ascii', [text], stringType, (string) =>
        string.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
      ),
    ],
  },
];

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function charAt(string: string, index: bigint): CelResult {
  const characters = Array.from(string);
  return index < 0n || index > characters.length ? outOfRange(index) : (characters[Number(index)] ?? '');
}

function startsAt(characters: readonly string[], part: readonly string[], start: number): boolean {
  return part.every((character, index) => characters[start + index] === character);
}

/** Returns the results of `indexOf` and `lastIndexOf` for an empty substring, and for an offset before the string. */
function withoutSearch(
  characters: readonly string[],
  part: readonly string[],
  offset: bigint,
  boundsEmptyNeedle: boolean,
): CelResult | undefined {
  if (part.length === 0 && !boundsEmptyNeedle) return offset;
  if (offset < 0n) return outOfRange(offset);
  if (part.length > 0) return undefined;
  const length = BigInt(characters.length);
  return offset > length ? length : offset;
}

function indexOf(
  characters: readonly string[],
  part: readonly string[],
  offset: bigint,
  boundsEmptyNeedle: boolean,
): CelResult {
  const settled = withoutSearch(characters, part, offset, boundsEmptyNeedle);
  if (settled !== undefined) return settled;
  const length = BigInt(characters.length);
  for (let start = offset; start <= length - BigInt(part.length); start++)
    if (startsAt(characters, part, Number(start))) return start;
  return -1n;
}

function lastIndexInAll(string: string, part: string): CelResult {
  const characters = Array.from(string);
  if (part === '') return BigInt(characters.length);
  const searched = Array.from(part);
  if (characters.length < searched.length) return -1n;
  return lastIndexOf(characters, searched, BigInt(characters.length - 1), false);
}

function lastIndexOf(
  characters: readonly string[],
  part: readonly string[],
  offset: bigint,
  boundsEmptyNeedle: boolean,
): CelResult {
  const settled = withoutSearch(characters, part, offset, boundsEmptyNeedle);
  if (settled !== undefined) return settled;
  const length = BigInt(characters.length);
  if (offset >= length) return -1n;
  const last = length - BigInt(part.length);
  for (let start = offset > last ? last : offset; start >= 0n; start--)
    if (startsAt(characters, part, Number(start))) return start;
  return -1n;
}

/**
 * As Go's `strings.Replace`: replaces all occurrences if `times` is negative; an empty `from` matches before each character and
 * at the end.
 */
function replace(string: string, from: string, to: string, times: bigint): string {
  if (from === '') return interleave(string, to, times < 0n ? Infinity : Number(times));
  if (times < 0n) return string.replaceAll(from, () => to);
  let result = '';
  let position = 0;
  for (let count = 0n; count < times; count++) {
    const index = string.indexOf(from, position);
    if (index < 0) break;
    result += string.slice(position, index) + to;
    position = index + from.length;
  }
  return result + string.slice(position);
}

function interleave(string: string, inserted: string, times: number): string {
  const characters = Array.from(string);
  const parts = characters.map((character, index) => (index < times ? inserted : '') + character);
  return parts.join('') + (characters.length < times ? inserted : '');
}

/** As Go's `strings.SplitN`: all parts if `most` is negative. */
function split(string: string, separator: string, most: bigint): CelList {
  if (most === 0n) return new CelList([]);
  const parts = separator === '' ? Array.from(string) : string.split(separator);
  if (most < 0n || BigInt(parts.length) <= most) return new CelList(parts);
  const leading = parts.slice(0, Number(most) - 1);
  return new CelList([...leading, parts.slice(leading.length).join(separator)]);
}

function substring(string: string, start: bigint, end?: bigint): CelResult {
  const characters = Array.from(string);
  const length = BigInt(characters.length);
  if (end !== undefined && start > end)
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > length) return outOfRange(start);
  if (end !== undefined && end > length) return outOfRange(end);
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('');
}

/** As Go's `strings.TrimSpace`: Unicode's white space, which differs slightly from JavaScript's. */
function trim(string: string): string {
  let [start, end] = [0, string.length];
  while (start < end && isWhiteSpace(string.charAt(start))) start += 1;
  while (end > start && isWhiteSpace(string.charAt(end - 1))) end -= 1;
  return string.slice(start, end);
}

function isWhiteSpace(character: string): boolean {
  return /^\p{White_Space}$/u.test(character);
}

function join(list: CelList, separator: string): CelResult {
  const strings: string[] = [];
  for (const element of list.elements) {
    if (typeof element !== 'string') return new CelError('join: invalid input');
    strings.push(element);
  }
  return strings.join(separator);
}

/** The characters that CEL has an escape for. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['\u0007', 'a'],
  ['\b', 'b'],
  ['\f', 'f'],
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\v', 'v'],
  ['\\', '\\'],
  ['"', '"'],
]);

function quote(string: string): string {
  const characters = Array.from(string, (character) => {
    const escape = escapes.get(character);
    return escape === undefined ? character : `\\${escape}`;
  });
  return `"${characters.join('')}"`;
}

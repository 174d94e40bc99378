import {
  bytesOf,
  byteLength,
  byteSlice,
  goFunction,
  textOf,
  type GoFunction,
} from '../../gotemplate/index.ts';
import { camelCase, lowerCase } from './word-case.ts';
import { byteTexts } from './texts.ts';
import { checkLength, intArgument } from './conversion.ts';

const isSpace = (character: string): boolean =>
  /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character);

function ofText(call: (text: string) => string): GoFunction {
  return goFunction('string -> string', ([text]) => call(text as string));
}

/** Functions that change the case of letters, and shorten or wrap texts. */
export const wordFunctions: Readonly<Record<string, GoFunction>> = {
  upper: ofText((text) => mapped(text, upper)),
  lower: ofText((text) => mapped(text, lower)),
  title: ofText(title),
  untitle: ofText(uncapitalized),
  swapcase: ofText(swapped),
  nospace: ofText((text) => {
    const characters = byteTexts(text);
    const others = characters.filter((each) => !isSpace(each));
    return others.length === characters.length ? text : others.join('');
  }),
  initials: ofText((text) => {
    let result = '';
    let isAfterGap = true;
    for (const each of byteTexts(text)) {
      if (!isSpace(each) && isAfterGap) result += each;
      isAfterGap = isSpace(each);
    }
    return result;
  }),
  camelcase: ofText(camelCase),
  snakecase: ofText((text) => lowerCase(text, '_')),
  kebabcase: ofText((text) => lowerCase(text, '-')),
  abbrev: goFunction('int, string -> string', ([width, text]) =>
    intArgument(width) < 4 ? text : abbreviated(text as string, 0, intArgument(width)),
  ),
  abbrevboth: goFunction('int, int, string -> string', ([left, right, text]) => {
    const [offset, width] = [intArgument(left), intArgument(right)];
    return width < 4 || (offset > 0 && width < 7) ? text : abbreviated(text as string, offset, width);
  }),
  wrap: goFunction('int, string -> string', ([width, text]) =>
    wrapped(text as string, intArgument(width), '', false),
  ),
  wrapWith: goFunction('int, string, string -> string', ([width, separator, text]) =>
    wrapped(text as string, intArgument(width), separator as string, true),
  ),
};

/** Applies a case to each code point, without the changes of length that JavaScript makes. */
function mapped(text: string, change: (character: string) => string): string {
  return Array.from(text, change).join('');
}

export function upper(character: string): string {
  const changed = character.toUpperCase();
  return Array.from(changed).length === 1 ? changed : character;
}

export function lower(character: string): string {
  if (character === '\u0130') return 'i';
  const changed = character.toLowerCase();
  return Array.from(changed).length === 1 ? changed : character;
}

/** The letters whose title case is not their upper case: those that are two letters, and Georgian. */
function titleCase(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x1c4 && code <= 0x1cc) return String.fromCodePoint(0x1c5 + Math.floor((code - 0x1c4) / 3) * 3);
  if (code >= 0x1f1 && code <= 0x1f3) return '\u01f2';
  return code >= 0x10d0 && code <= 0x10ff ? character : upper(character);
}

/** As strings.Title: the first letter of each word. */
function title(text: string): string {
  let isStart = true;
  return mapped(text, (character) => {
    const result = isStart ? titleCase(character) : character;
    isStart = isSeparator(character);
    return result;
  });
}

function isSeparator(character: string): boolean {
  if ((character.codePointAt(0) ?? 0) < 0x80) return !/\w/.test(character);
  return !/[\p{L}\p{Nd}]/u.test(character) && isSpace(character);
}

function uncapitalized(text: string): string {
  let isStart = true;
  return mapped(text, (character) => {
    if (isSpace(character)) {
      isStart = true;
      return character;
    }
    const result = isStart ? lower(character) : character;
    isStart = false;
    return result;
  });
}

/** As goutils' SwapCase: a small letter at the start of a word gets title case. */
function swapped(text: string): string {
  let isStart = true;
  return mapped(text, (character) => {
    const isLower = /\p{Ll}/u.test(character);
    const isCapital = /\p{Lu}|\p{Lt}/u.test(character);
    const change = isCapital ? lower : isStart ? titleCase : upper;
    isStart = isLower || isCapital ? false : isSpace(character);
    return isLower || isCapital ? change(character) : character;
  });
}

function abbreviated(text: string, left: number, width: number): string {
  const size = byteLength(text);
  if (text === '' || size <= width) return text;
  let offset = Math.min(left, size);
  if (size - offset < width - 3) offset = size - (width - 3);
  if (offset <= 4) return `${byteSlice(text, 0, width - 3)}...`;
  if (offset + width - 3 < size) return `...${abbreviatedEnd(byteSlice(text, offset), width - 3)}`;
  return `...${byteSlice(text, size - (width - 3))}`;
}

function abbreviatedEnd(text: string, width: number): string {
  if (width < 4) return '';
  return abbreviated(text, 0, width);
}

/** As goutils' WrapCustom: lines of at most a width, in bytes. */
function wrapped(text: string, width: number, separator: string, cutsWords: boolean): string {
  const least = Math.max(1, width);
  const lineEnd = separator === '' ? '\n' : separator;
  const size = bytesOf(text).length;
  checkLength(size + (size / least + 1) * lineEnd.length);
  const bytes = Buffer.from(bytesOf(text));
  const part = (start: number, end: number): string => textOf(bytes.subarray(start, end));
  let result = '';
  let offset = 0;
  while (size - offset > least) {
    if (bytes[offset] === 0x20) {
      offset += 1;
      continue;
    }
    // Only this line is searched: a long word would make each search as long as the text.
    const space = bytes.subarray(offset, offset + least + 1).lastIndexOf(0x20);
    let end = offset + space;
    let next = end + 1;
    if (space < 0) {
      end = cutsWords ? offset + least : bytes.indexOf(0x20, offset + least);
      next = cutsWords ? end : end + 1;
      if (end < 0) return result + part(offset, size);
    }
    result += part(offset, end) + lineEnd;
    offset = next;
  }
  return result + part(offset, size);
}

import type { TextCursor } from './text-cursor.ts';

const simpleEscapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const escapeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Line breaks between the lines of a scalar, as the first one and the others. */
interface Breaks {
  first: string;
  others: string;
}

/** Folds lines: one break is a space, and of several, all but the first stay. */
function folded({ first, others }: Breaks): string {
  if (!first.startsWith('\n')) return first + others;
  return others === '' ? ' ' : others;
}

/**
 * Reads a plain scalar from its first character.
 *
 * @returns the text, and whether it ended after a line break
 */
export function scanPlain(
  cursor: TextCursor,
  indent: number,
  isFlow: boolean,
): { readonly text: string; readonly endsLine: boolean } {
  let text = '';
  let pending: Breaks | undefined;
  // What the line has, from its first word to its last one.
  let [start, end] = [cursor.at, cursor.at];
  for (;;) {
    if (cursor.isDocumentIndicator() || cursor.is('#')) break;
    const from = cursor.at;
    cursor.skipPlain(isFlow);
    if (cursor.at > from) {
      if (pending !== undefined) {
        text += cursor.text.slice(start, end) + folded(pending);
        start = from;
        pending = undefined;
      }
      end = cursor.at;
    }
    if (!cursor.isBlank() && !cursor.isBreak()) break;
    while (cursor.isBlank() || cursor.isBreak()) {
      if (cursor.isBreak()) pending = addBreak(pending, cursor.readBreak());
      else {
        if (pending !== undefined && cursor.column < indent && cursor.is('\t'))
          cursor.fail('found a tab character that violates indentation');
        cursor.at += 1;
      }
    }
    if (!isFlow && cursor.column < indent) break;
  }
  return { text: text + cursor.text.slice(start, end), endsLine: pending !== undefined };
}

function addBreak(breaks: Breaks | undefined, text: string): Breaks {
  if (breaks === undefined) return { first: text, others: '' };
  breaks.others += text;
  return breaks;
}

/** Reads a scalar in quotes from its first quote. */
export function scanQuoted(cursor: TextCursor, quote: '"' | "'"): string {
  cursor.at += 1;
  let text = '';
  for (;;) {
    if (cursor.isDocumentIndicator()) cursor.fail('found unexpected document indicator');
    if (cursor.isEnd()) cursor.fail('found unexpected end of stream');
    let pending: Breaks | undefined;
    while (!cursor.isBlankOrEnd() && !endsQuoted(cursor, quote)) {
      if (quote === '"' && cursor.is('\\') && cursor.isBreak(1)) {
        cursor.at += 1;
        cursor.readBreak();
        pending = { first: '', others: '' };
        break;
      }
      text += quote === '"' ? doubleQuoted(cursor) : singleQuoted(cursor);
    }
    if (pending === undefined && cursor.is(quote)) break;
    let spaces = '';
    while (cursor.isBlank() || cursor.isBreak()) {
      if (cursor.isBreak()) pending = addBreak(pending, cursor.readBreak());
      else {
        if (pending === undefined) spaces += cursor.character();
        cursor.at += 1;
      }
    }
    text += pending === undefined ? spaces : folded(pending);
  }
  cursor.at += 1;
  return text;
}

function endsQuoted(cursor: TextCursor, quote: '"' | "'"): boolean {
  return cursor.is(quote) && !(quote === "'" && cursor.is("'", 1));
}

/** A run of characters without quotes, or an escaped quote. */
function singleQuoted(cursor: TextCursor): string {
  if (cursor.is("'")) {
    cursor.at += 2;
    return "'";
  }
  const from = cursor.at;
  while (!cursor.isBlankOrEnd() && !cursor.is("'")) cursor.at += 1;
  return cursor.text.slice(from, cursor.at);
}

function doubleQuoted(cursor: TextCursor): string {
  if (!cursor.is('\\')) {
    const from = cursor.at;
    while (!cursor.isBlankOrEnd() && !cursor.is('"') && !cursor.is('\\')) cursor.at += 1;
    return cursor.text.slice(from, cursor.at);
  }
  const letter = cursor.character(1);
  const length = Object.hasOwn(escapeLengths, letter) ? (escapeLengths[letter] ?? 0) : 0;
  const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined;
  if (length === 0 && simple === undefined) return cursor.fail('found unknown escape character');
  cursor.at += 2;
  if (simple !== undefined) return simple;
  const digits = cursor.text.slice(cursor.at, cursor.at + length);
  if (!/^[\da-fA-F]+$/.test(digits) || digits.length < length)
    cursor.fail('did not find expected hexdecimal number');
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    cursor.fail('found invalid Unicode character escape code');
  cursor.at += length;
  return String.fromCodePoint(code);
}

/** Reads a block scalar from its `|` or `>`. */
export function scanBlock(cursor: TextCursor, isLiteral: boolean, parentIndent: number): string {
  cursor.at += 1;
  const { chomping, increment } = blockHeader(cursor);
  if (!cursor.isBreak() && !cursor.isEnd()) cursor.fail('did not find expected comment or line break');
  if (cursor.isBreak()) cursor.readBreak();
  let indent = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  let breaks = '';
  ({ indent, breaks } = blockBreaks(cursor, indent, parentIndent));
  let text = '';
  let lineBreak = '';
  let wasBlank = false;
  while (cursor.column === indent && !cursor.isEnd()) {
    const isBlank = cursor.isBlank();
    if (!isLiteral && !wasBlank && !isBlank && lineBreak.startsWith('\n')) {
      if (breaks === '') text += ' ';
    } else text += lineBreak;
    text += breaks;
    wasBlank = isBlank;
    const from = cursor.at;
    cursor.skipLine();
    text += cursor.text.slice(from, cursor.at);
    lineBreak = cursor.isBreak() ? cursor.readBreak() : '';
    ({ breaks } = blockBreaks(cursor, indent, parentIndent));
  }
  if (chomping !== '-') text += lineBreak;
  return chomping === '+' ? text + breaks : text;
}

function blockHeader(cursor: TextCursor): { readonly chomping: string; readonly increment: number } {
  let chomping = '';
  let increment = 0;
  const readChomping = (): void => {
    if (!cursor.is('+') && !cursor.is('-')) return;
    chomping = cursor.character();
    cursor.at += 1;
  };
  readChomping();
  if (/\d/.test(cursor.character())) {
    if (cursor.is('0')) cursor.fail('found an indentation indicator equal to 0');
    increment = Number(cursor.character());
    cursor.at += 1;
    if (chomping === '') readChomping();
  }
  while (cursor.isBlank()) cursor.at += 1;
  cursor.skipComment();
  return { chomping, increment };
}

function blockBreaks(
  cursor: TextCursor,
  given: number,
  parentIndent: number,
): { indent: number; breaks: string } {
  let breaks = '';
  let most = 0;
  for (;;) {
    cursor.skipIndentation(given === 0 ? Infinity : given);
    most = Math.max(most, cursor.column);
    if ((given === 0 || cursor.column < given) && cursor.is('\t'))
      cursor.fail('found a tab character where an indentation space is expected');
    if (!cursor.isBreak()) break;
    breaks += cursor.readBreak();
  }
  return { indent: given === 0 ? Math.max(most, parentIndent + 1, 1) : given, breaks };
}

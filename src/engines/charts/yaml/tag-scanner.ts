import type { TextCursor } from './text-cursor.ts';
import type { Token } from './token.ts';

const word = /[\w-]/;
const uri = /[\w\-;/?:@&=+$,.!~*'()[\]%]/;

/** Reads an anchor or alias from its `&` or `*`. */
export function scanAnchor(cursor: TextCursor): Token {
  const start = cursor.mark();
  const kind = cursor.is('&') ? 'anchor' : 'alias';
  cursor.at += 1;
  const name = scanWord(cursor);
  if (name === '' || !(cursor.isBlankOrEnd() || '?:,]}%@`'.includes(cursor.character())))
    cursor.fail('did not find expected alphabetic or numeric character');
  return { kind, start, value: name, suffix: '', isPlain: false };
}

/** Reads a tag such as `!!str`, `!local` or `!<tag:example.com>`. */
export function scanTag(cursor: TextCursor): Token {
  const start = cursor.mark();
  let handle = '';
  let suffix: string;
  if (cursor.is('<', 1)) {
    cursor.at += 2;
    suffix = scanUri(cursor, '');
    if (!cursor.is('>')) cursor.fail("did not find the expected '>'");
    cursor.at += 1;
  } else {
    handle = scanHandle(cursor, false);
    if (handle.length > 1 && handle.endsWith('!')) suffix = scanUri(cursor, '');
    else {
      suffix = scanUri(cursor, handle);
      [handle, suffix] = suffix === '' ? ['', '!'] : ['!', suffix];
    }
  }
  if (!cursor.isBlankOrEnd()) cursor.fail('did not find expected whitespace or line break');
  return { kind: 'tag', start, value: handle, suffix, isPlain: false };
}

/** Reads a directive, with the line end. */
export function scanDirective(cursor: TextCursor): Token {
  const start = cursor.mark();
  cursor.at += 1;
  const name = scanWord(cursor);
  if (name === '') cursor.fail('could not find expected directive name');
  if (!cursor.isBlankOrEnd()) cursor.fail('found unexpected non-alphabetical character');
  let token: Token;
  if (name === 'YAML')
    token = { kind: 'version directive', start, value: scanVersion(cursor), suffix: '', isPlain: false };
  else if (name === 'TAG')
    token = { kind: 'tag directive', start, ...scanTagDirective(cursor), isPlain: false };
  else return cursor.fail('found unknown directive name');
  skipBlanks(cursor);
  cursor.skipComment();
  if (!cursor.isBreak() && !cursor.isEnd()) cursor.fail('did not find expected comment or line break');
  if (cursor.isBreak()) cursor.readBreak();
  return token;
}

function scanVersion(cursor: TextCursor): string {
  skipBlanks(cursor);
  const major = scanVersionNumber(cursor);
  if (!cursor.is('.')) cursor.fail("did not find expected digit or '.' character");
  cursor.at += 1;
  return `${String(major)}.${String(scanVersionNumber(cursor))}`;
}

function scanVersionNumber(cursor: TextCursor): number {
  const digits = /^\d*/.exec(cursor.text.slice(cursor.at, cursor.at + 4))?.[0] ?? '';
  if (digits === '') cursor.fail('did not find expected version number');
  if (digits.length > 2) cursor.fail('found extremely long version number');
  cursor.at += digits.length;
  return Number(digits);
}

function scanTagDirective(cursor: TextCursor): { readonly value: string; readonly suffix: string } {
  skipBlanks(cursor);
  const value = scanHandle(cursor, true);
  if (!cursor.isBlank()) cursor.fail('did not find expected whitespace');
  skipBlanks(cursor);
  const suffix = scanUri(cursor, '');
  if (!cursor.isBlankOrEnd()) cursor.fail('did not find expected whitespace or line break');
  return { value, suffix };
}

function scanHandle(cursor: TextCursor, isDirective: boolean): string {
  if (!cursor.is('!')) cursor.fail("did not find expected '!'");
  cursor.at += 1;
  let handle = `!${scanWord(cursor)}`;
  if (cursor.is('!')) {
    handle += '!';
    cursor.at += 1;
  } else if (isDirective && handle !== '!') cursor.fail("did not find expected '!'");
  return handle;
}

/** @param head - a handle that was read and is the beginning of the tag */
function scanUri(cursor: TextCursor, head: string): string {
  const from = cursor.at;
  while (!cursor.isEnd() && uri.test(cursor.character())) cursor.at += 1;
  const text = cursor.text.slice(from, cursor.at);
  if (text === '' && head === '') cursor.fail('did not find expected tag URI');
  if (/%(?![\da-fA-F]{2})/.test(text)) cursor.fail('did not find URI escaped octet');
  return head.slice(1) + (text.includes('%') ? unescaped(cursor, text) : text);
}

function unescaped(cursor: TextCursor, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const startsInvalid = /%(?:[89abAB]|[fF][89a-fA-F])/.test(text);
    return cursor.fail(
      startsInvalid ? 'found an incorrect leading UTF-8 octet' : 'did not find URI escaped octet',
    );
  }
}

function scanWord(cursor: TextCursor): string {
  const from = cursor.at;
  while (!cursor.isEnd() && word.test(cursor.character())) cursor.at += 1;
  return cursor.text.slice(from, cursor.at);
}

function skipBlanks(cursor: TextCursor): void {
  while (cursor.isBlank()) cursor.at += 1;
}

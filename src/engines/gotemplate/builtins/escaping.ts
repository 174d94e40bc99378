import { isPrintable } from '../quote.ts';
import { bytesOf } from '../text.ts';

const htmlEscapes: Readonly<Record<string, string>> = {
  '\u0000': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** `html`. */
export function escapeHtml(text: string): string {
  // oxlint-disable-next-line no-control-regex -- NUL is one of the characters that HTML cannot hold
  return text.replaceAll(/[\u0000"'&<>]/g, (character) => htmlEscapes[character] ?? character);
}

const scriptEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '"': '\\"' };

/** `js`. */
export function escapeScript(text: string): string {
  let result = '';
  for (const character of text) result += scriptCharacter(character);
  return result;
}

function scriptCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const short = scriptEscapes[character];
  if (short !== undefined) return short;
  if (code < 0x20 || '<>&='.includes(character)) return `\\u${hex(code)}`;
  if (code < 0x80) return character;
  // A byte that is no UTF-8 is written as it is.
  const isByte = code >= 0xdc80 && code <= 0xdcff;
  return isByte || isPrintable(code) ? character : `\\u${hex(code)}`;
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}

/** `urlquery`, as url.QueryEscape. */
export function escapeQuery(text: string): string {
  let result = '';
  for (const byte of bytesOf(text)) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-_.~]/.test(character)) result += character;
    else if (character === ' ') result += '+';
    else result += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return result;
}

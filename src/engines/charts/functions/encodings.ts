import { createHash } from 'node:crypto';
import { bytesOf, FunctionError, goFunction, textOf, type GoFunction } from '../../gotemplate/index.ts';

function ofText(call: (text: string) => string): GoFunction {
  return goFunction('string -> string', ([text]) => call(text as string));
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Functions that encode and hash texts. */
export const encodingFunctions: Readonly<Record<string, GoFunction>> = {
  b64enc: ofText((text) => Buffer.from(bytesOf(text)).toString('base64')),
  b64dec: ofText((text) => textOrError(decodeBase64(text))),
  b32enc: ofText((text) => base32(bytesOf(text))),
  b32dec: ofText((text) => textOrError(decodeBase32(text))),
  sha1sum: ofText((text) => hash('sha1', text)),
  sha256sum: ofText((text) => hash('sha256', text)),
  sha512sum: ofText((text) => hash('sha512', text)),
  adler32sum: ofText(adler32),
};

function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(bytesOf(text)).digest('hex');
}

function adler32(text: string): string {
  let [low, high] = [1, 0];
  for (const byte of bytesOf(text)) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return String(high * 65536 + low);
}

/** Returns the decoded text, or Go's error as the text. */
function textOrError(decoded: Uint8Array | FunctionError): string {
  return decoded instanceof FunctionError ? decoded.message : textOf(decoded);
}

/** Decodes padded base64, or returns Go's error. */
export function decodeBase64(text: string): Uint8Array | FunctionError {
  return decoded(text, /[A-Za-z0-9+/]/, 4, 'base64', (digits) => Buffer.from(digits, 'base64'));
}

function decodeBase32(text: string): Uint8Array | FunctionError {
  return decoded(text, /[A-Z2-7]/, 8, 'base32', base32Bytes);
}

/** How many digits a last group may have before its padding. */
const lastGroups: Readonly<Record<number, readonly number[]>> = { 4: [2, 3], 8: [2, 4, 5, 7] };

/**
 * Checks digits and padding as Go's decoders, which skip line ends.
 *
 * @param group - digits of a group
 */
function decoded(
  text: string,
  digit: RegExp,
  group: number,
  name: string,
  decode: (digits: string) => Uint8Array,
): Uint8Array | FunctionError {
  const bytes = bytesOf(text);
  const corrupt = (at: number): FunctionError =>
    new FunctionError(`illegal ${name} data at input byte ${String(at)}`);
  let digits = '';
  let at = 0;
  for (; at < bytes.length; at++) {
    const character = String.fromCharCode(bytes[at] ?? 0);
    if (character === '\n' || character === '\r') continue;
    if (digit.test(character)) digits += character;
    else break;
  }
  const missing = (group - (digits.length % group)) % group;
  if (at === bytes.length && missing === 0) return decode(digits);
  if (at === bytes.length) return corrupt(bytes.length - (name === 'base64' ? digits.length % group : 0));
  if (bytes[at] !== 0x3d || !(lastGroups[group] ?? []).includes(digits.length % group)) return corrupt(at);
  let padding = 0;
  for (; at < bytes.length && padding < missing; at++) {
    const character = String.fromCharCode(bytes[at] ?? 0);
    if (character === '\n' || character === '\r') continue;
    if (character !== '=') return corrupt(at);
    padding += 1;
  }
  if (padding < missing) return corrupt(bytes.length);
  while (bytes[at] === 0x0a || bytes[at] === 0x0d) at += 1;
  return at < bytes.length ? corrupt(at) : decode(digits);
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let [bits, count] = [0, 0];
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    count += 8;
    for (; count >= 5; count -= 5) text += base32Alphabet[(bits >> (count - 5)) & 31];
    bits &= 0xff;
  }
  if (count > 0) text += base32Alphabet[(bits << (5 - count)) & 31];
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
}

function base32Bytes(digits: string): Uint8Array {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const digit of digits) {
    bits = ((bits << 5) | base32Alphabet.indexOf(digit)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return Uint8Array.from(bytes);
}

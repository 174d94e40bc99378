// Go's strings are bytes. Here they are JavaScript strings in which a byte that is not part of valid UTF-8 is one of the code
// units U+DC80 to U+DCFF without a surrogate before it.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
// oxlint-disable-next-line no-control-regex -- ASCII
const ascii = /^[\u0000-\u007f]*$/;

/** Returns the bytes of a text in UTF-8. */
export function bytesOf(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/** Returns the text of bytes that need not be valid UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return escapedText(bytes);
  }
}

function escapedText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const [code, length] = decodeRune(bytes, at);
    text += String.fromCodePoint(code);
    at += length;
  }
  return text;
}

/** Returns the code point at a position, or the escape of a byte that begins none, and the number of its bytes. */
function decodeRune(bytes: Uint8Array, at: number): [code: number, length: number] {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return [first, 1];
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const invalid: [number, number] = [0xdc00 + first, 1];
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return invalid;
  let code = first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const next = bytes[at + index] ?? 0;
    if ((next & 0xc0) !== 0x80) return invalid;
    code = (code << 6) | (next & 0x3f);
  }
  const least = length === 4 ? 0x10000 : length === 3 ? 0x800 : 0x80;
  if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return invalid;
  return [code, length];
}

/** Joins bytes that were cut apart: several escaped bytes can be one character. */
export function normalized(text: string): string {
  return text.isWellFormed() ? text : textOf(bytesOf(text));
}

export function byteLength(text: string): number {
  return ascii.test(text) ? text.length : bytesOf(text).length;
}

/** Returns part of a text by byte positions. */
export function byteSlice(text: string, start: number, end?: number): string {
  return ascii.test(text) ? text.slice(start, end) : textOf(bytesOf(text).slice(start, end));
}

export function runeCount(text: string): number {
  if (ascii.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Compares texts by their bytes, as Go does. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  if (ascii.test(a) && ascii.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(bytesOf(a), bytesOf(b));
}

/** Returns the keys of a map in Go's order of strings. */
export function sortedKeys(map: ReadonlyMap<string, unknown>): string[] {
  return [...map.keys()].toSorted(compareBytes);
}

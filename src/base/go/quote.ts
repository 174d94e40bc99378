const plain = /^[ !#-[\]-~]*$/;
/** Matches a character that Go prints as it is. As strconv.IsPrint. */
export const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
/** The escapes of Go's string literals that have a letter, and that of the backslash. */
export const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
]);

const escapes = new Map([...shortEscapes, ['"', '\\"']]);

/** Returns a string in double quotes as Go's `%q` prints it. The hub's messages quote values this way. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = '';
  for (const character of text)
    quoted += escapes.get(character) ?? (printable.test(character) ? character : hex(character));
  return `"${quoted}"`;
}

function hex(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // as strconv.Quote: a lone surrogate is not valid UTF-8 and becomes the replacement character
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

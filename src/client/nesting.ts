/** The deepest nesting of an answer that commands read. The API server accepts more, and no object of a hub needs it. */
export const deepestAnswer = 500;

/** Whether the lists and objects of a JSON text are nested more deeply than a bound. It need not be valid JSON. */
export function isNestedBeyond(text: string, bound: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (character === openBrace || character === openBracket) {
      if (++depth > bound) return true;
    } else if (character === closeBrace || character === closeBracket) depth--;
  }
  return false;
}

const quote = 34;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Returns the position of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

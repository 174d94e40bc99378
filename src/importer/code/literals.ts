/** Returns a quoted string with the quotes that need fewer escapes; single quotes if both need the same number. */
export function quoted(text: string): string {
  const singles = text.split("'").length;
  const doubles = text.split('"').length;
  const quote = singles > doubles ? '"' : "'";
  return quote + escaped(text).replaceAll(quote, `\\${quote}`) + quote;
}

/** Returns the lines of a text between backquotes, as they are written in a template literal. */
export function templateLines(text: string): string[] {
  return text.split('\n').map((line) => escaped(line).replaceAll('`', '\\`').replaceAll('${', '\\${'));
}

/** Whether a text is easier to read over several lines than with `\n` in it. */
export function hasLines(text: string): boolean {
  return /\n[^\n]/.test(text.trimEnd()) && !/[^\P{Cc}\n\t]/u.test(text);
}

// Control characters, JavaScript line terminators, half surrogates, and characters that are invisible or change the direction of
// the surrounding text.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufeff]/gu;
const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replace(unseen, (character) => short[character] ?? escapeOf(character.codePointAt(0) ?? 0));
}

function escapeOf(code: number): string {
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** Returns a number as prettier prints it. */
export function numeral(value: number | bigint): string {
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e');
}

const identifier = /^[A-Za-z_$][\w$]*$/;

/** Whether a text is a valid JavaScript name, ignoring reserved words. */
export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}

/** Returns the key of a property: unquoted if possible, otherwise as a string. */
export function propertyKey(key: string): string {
  // unquoted, this one would set the prototype
  if (key === '__proto__') return "['__proto__']";
  return isIdentifier(key) ? key : quoted(key);
}

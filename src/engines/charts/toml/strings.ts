import { quoted } from '../../gotemplate/index.ts';
import type { TomlScanner } from './scanner.ts';

/** Reads a string of one line after its first quotation mark. */
export function readBasicString(scanner: TomlScanner): string {
  scanner.start();
  let hasEscapes = false;
  for (;;) {
    const character = scanner.next();
    if (character === '') scanner.fail(`unexpected EOF; expected '"'`, true);
    if (character === '\n' || character === '\r') scanner.failBefore('strings cannot contain newlines');
    if (character === '"') break;
    if (character !== '\\') continue;
    hasEscapes = true;
    checkEscape(scanner);
  }
  const text = scanner.token.slice(0, -1);
  return hasEscapes ? unescaped(scanner, text) : text;
}

export function readRawString(scanner: TomlScanner): string {
  scanner.start();
  for (;;) {
    const character = scanner.next();
    if (character === '') scanner.fail(`unexpected EOF; expected "'"`, true);
    if (character === '\n' || character === '\r') scanner.failBefore('strings cannot contain newlines');
    if (character === "'") return scanner.token.slice(0, -1);
  }
}

/** Reads a string of several lines after its first three quotation marks. */
export function readMultilineString(scanner: TomlScanner, mark: '"' | "'"): string {
  scanner.start();
  for (;;) {
    const character = scanner.next();
    if (character === '') scanner.fail(`unexpected EOF; expected ${mark === '"' ? `'"""'` : `"'''"`}`, true);
    if (character === '\\' && mark === '"') {
      if (/[\r\n]/.test(scanner.peek())) scanner.next();
      else checkEscape(scanner);
    } else if (character === mark && isEnd(scanner, mark)) break;
  }
  const text = scanner.token.slice(0, -3).replace(/^\r?\n/, '');
  return mark === "'" ? text : unescaped(scanner, withoutEscapedLineEnds(text));
}

/** Whether a mark begins the last three. Up to two marks may come before these. */
function isEnd(scanner: TomlScanner, mark: '"' | "'"): boolean {
  if (!scanner.accept(mark)) return false;
  if (!scanner.accept(mark)) {
    scanner.back(1);
    return false;
  }
  if (scanner.peek() !== mark) return true;
  const five = mark.repeat(5);
  if (scanner.token.endsWith(five) && !(mark === '"' && scanner.token.endsWith(`\\${five}`)))
    scanner.fail(mark === '"' ? `unexpected '""""""'` : `unexpected "''''''"`);
  scanner.back(2);
  return false;
}

function checkEscape(scanner: TomlScanner): void {
  const character = scanner.next();
  if (character === 'u') checkDigits(scanner, 4, 'four', 'u');
  else if (character === 'U') checkDigits(scanner, 8, 'eight', 'U');
  else if (character === '') scanner.failBefore("invalid escape in string '\\\0'");
  else if (!'btnfr" \t\\'.includes(character)) scanner.fail(`invalid escape in string '\\${character}'`);
}

function checkDigits(scanner: TomlScanner, count: number, name: string, letter: string): void {
  for (let index = 0; index < count; index++) {
    const character = scanner.next();
    if (!/^[\da-fA-F]$/.test(character))
      scanner.fail(
        `expected ${name} hexadecimal digits after '\\${letter}', but got ${quoted(scanner.token)} instead`,
        character === '',
      );
  }
}

const characters: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

function unescaped(scanner: TomlScanner, text: string): string {
  return text.replaceAll(
    /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs,
    (_escape, short: string | undefined, long: string | undefined, character: string) => {
      const digits = short ?? long;
      if (digits === undefined)
        return characters[character] ?? scanner.fail(`invalid escape: '\\${character}'`);
      const code = Number.parseInt(digits, 16);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        scanner.fail(`Escaped character '\\u${digits}' is not valid UTF-8.`);
      return String.fromCodePoint(code);
    },
  );
}

/** Removes each backslash at the end of a line, and the whitespace after it. */
function withoutEscapedLineEnds(text: string): string {
  return text.replaceAll(
    /(\\\\)|\\[ \t\r]*\n[ \t\r\n]*/g,
    (_match, escaped: string | undefined) => escaped ?? '',
  );
}

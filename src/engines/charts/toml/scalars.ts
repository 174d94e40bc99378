import { quoted, type Value } from '../../gotemplate/index.ts';
import { timeValue } from '../functions/time-value.ts';
import { datetimeOf, floatOf, integerOf } from './numbers.ts';
import { shown, type TomlScanner } from './scanner.ts';
import { readBasicString, readMultilineString, readRawString } from './strings.ts';

/** Reads a value that is neither an array nor a table. */
export function readScalar(scanner: TomlScanner, character: string): Value {
  if (/^\d$/.test(character)) return readNumberOrDate(scanner);
  if (character === '"' || character === "'") return readString(scanner, character);
  if (character === '-' || character === '+') return readSignedNumber(scanner);
  return readWord(scanner, character);
}

function readString(scanner: TomlScanner, mark: '"' | "'"): string {
  scanner.next();
  if (scanner.accept(mark)) {
    if (scanner.accept(mark)) return readMultilineString(scanner, mark);
    scanner.back(1);
  }
  return mark === '"' ? readBasicString(scanner) : readRawString(scanner);
}

/** Reads `true`, `false`, `inf` or `nan`. */
function readWord(scanner: TomlScanner, character: string): Value {
  if (character === '.') scanner.fail("floats must start with a digit, not '.'");
  if (character === 'i' || character === 'n') {
    scanner.next();
    if ((scanner.accept('n') && scanner.accept('f')) || (scanner.accept('a') && scanner.accept('n')))
      return floatOf(scanner, scanner.token);
    scanner.back(1);
  }
  if (!/^\p{L}$/u.test(character)) {
    scanner.next();
    if (character === '') scanner.fail('unexpected EOF; expected value', true);
    const message = `expected value but found ${shown(character)} instead`;
    return character === '\n' ? scanner.failBefore(message) : scanner.fail(message);
  }
  const word = scanner.skip(/^\p{L}$/u);
  if (word === 'true' || word === 'false') return word === 'true';
  return scanner.fail(`expected value but found ${quoted(word)} instead`);
}

function readSignedNumber(scanner: TomlScanner): Value {
  scanner.next();
  const character = scanner.next();
  if (character === 'i' || character === 'n') {
    const [second, third] = character === 'i' ? 'nf' : 'an';
    if (!scanner.accept(second ?? '') || !scanner.accept(third ?? ''))
      scanner.fail(`invalid float: '${scanner.token}'`);
    return floatOf(scanner, scanner.token);
  }
  if (character === '0' && /^[box]$/.test(scanner.peek()))
    scanner.fail(`cannot use sign with non-decimal numbers: '${scanner.token}${scanner.peek()}'`);
  if (character === '.') scanner.fail("floats must start with a digit, not '.'");
  if (!/^\d$/.test(character)) scanner.fail(`expected a digit but got ${shown(character)}`, character === '');
  return readDecimal(scanner);
}

function readNumberOrDate(scanner: TomlScanner): Value {
  const isZero = scanner.next() === '0';
  const base = isZero ? scanner.peek() : '';
  if (base === 'b') return readBased(scanner, /^[01_]$/, 'binary');
  if (base === 'o') return readBased(scanner, /^[0-7_]$/, 'octal');
  if (base === 'x') return readBased(scanner, /^[\da-fA-F_]$/, 'hexadecimal');
  if (isZero && !/^\d$/.test(base)) return readDecimal(scanner);
  scanner.skip(/^\d$/);
  if (scanner.peek() !== '-' && scanner.peek() !== ':') return readDecimal(scanner);
  scanner.skip(/^[-0-9:Tt .Zz+]$/);
  return timeValue(datetimeOf(scanner, scanner.token.trim()));
}

function readBased(scanner: TomlScanner, digit: RegExp, name: string): Value {
  scanner.next();
  const first = scanner.peek();
  if (!digit.test(first) || first === '_')
    scanner.fail(
      `not a${name === 'octal' ? 'n' : ''} ${name} number: '${scanner.token}${first === '' ? '\0' : first}'`,
    );
  scanner.skip(digit);
  return integerOf(scanner, scanner.token);
}

function readDecimal(scanner: TomlScanner): Value {
  scanner.skip(/^[\d_]$/);
  if (!/^[.eE]$/.test(scanner.peek())) return integerOf(scanner, scanner.token);
  scanner.skip(/^[-0-9_.+eE]$/);
  return floatOf(scanner, scanner.token);
}

import { Integer, quoted } from '../../gotemplate/index.ts';
import { instant, type Instant } from '../../../base/time/instant.ts';
import { rfc3339Nano } from '../../../base/time/format.ts';
import { parseTimeAs } from '../../../base/time/parse.ts';
import { fixedZone, type Zone } from '../../../base/time/zone.ts';
import type { TomlScanner } from './scanner.ts';

/** Returns the integer of a token that has the form of one. */
export function integerOf(scanner: TomlScanner, token: string): Integer {
  checkUnderscores(scanner, 'integer', token, [token]);
  if (hasLeadingZero(token)) scanner.fail(`Invalid integer ${quoted(token)}: cannot have leading zeroes`);
  const size = BigInt(token.replaceAll('_', '').replace(/^[-+]/, ''));
  const value = token.startsWith('-') ? -size : size;
  if (BigInt.asIntN(64, value) !== value) scanner.fail(`${token} is out of range for int64`);
  return new Integer(value, 'int64');
}

/** Returns the float64 of a token that has the characters of one. */
export function floatOf(scanner: TomlScanner, token: string): number {
  const parts = token.split(/[.eE]/).filter((part) => part !== '');
  checkUnderscores(scanner, 'float', token, parts);
  if (hasLeadingZero(parts[0] ?? ''))
    scanner.fail(`Invalid float ${quoted(token)}: cannot have leading zeroes`);
  if (/\.(?!\d)/.test(token))
    scanner.fail(`Invalid float ${quoted(token)}: '.' must be followed by one or more digits`);
  const special = /^([-+]?)(inf|nan)$/.exec(token);
  if (special !== null) return special[2] === 'nan' ? NaN : special[1] === '-' ? -Infinity : Infinity;
  const plain = token.replaceAll('_', '');
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(plain))
    scanner.fail(`Invalid float value: ${quoted(token)}`);
  const value = Number(plain);
  if (!Number.isFinite(value)) scanner.fail(`${token} is out of range for float64`);
  return value;
}

function checkUnderscores(scanner: TomlScanner, name: string, token: string, parts: readonly string[]): void {
  const isValid = (part: string): boolean =>
    /^[-+]?(?:inf|nan)$/.test(part) || (/[\da-fA-F]$/.test(part) && !/(?:^|[^\da-fA-F])_/.test(part));
  if (!parts.every(isValid))
    scanner.fail(`Invalid ${name} ${quoted(token)}: underscores must be surrounded by digits`);
}

function hasLeadingZero(token: string): boolean {
  return /^0[^box]/s.test(token) || /^[-+]0./s.test(token);
}

const [localDatetime, localDate, localTime] = ['datetime-local', 'date-local', 'time-local'].map((name) =>
  fixedZone(name, 0),
);
const layouts: readonly (readonly [layout: string, zone: Zone | undefined])[] = [
  [rfc3339Nano, undefined],
  ['2006-01-02T15:04:05.999999999', localDatetime],
  ['2006-01-02', localDate],
  ['15:04:05.999999999', localTime],
];

/** Returns the time of a token that has the characters of one. */
export function datetimeOf(scanner: TomlScanner, token: string): Instant {
  const text = token.replaceAll('z', 'Z').replaceAll(/[t ]/g, 'T');
  for (const [layout, zone] of layouts) {
    const time = parseTimeAs(layout, text);
    if (time instanceof Error) continue;
    if (lacksLeadingZero(text, layout)) break;
    return zone === undefined ? time : instant(time.seconds, time.nanoseconds, zone);
  }
  return scanner.fail(`invalid datetime: ${quoted(text)}`);
}

/** Whether a number has fewer digits than the layout, which Go accepts and TOML does not. */
function lacksLeadingZero(text: string, layout: string): boolean {
  const fixed = /^[^.Z]*/.exec(layout)?.[0] ?? '';
  return Array.from(fixed).some((character, index) => !/\d/.test(character) && text[index] !== character);
}

import { parseTimeAs } from '../../../../base/time/parse.ts';
import { byteLength, quotedRune } from '../../../gotemplate/index.ts';
import { parsedInteger } from './go-integer.ts';

/** Returns why a text is not a duration of ISO 8601. */
export function durationProblem(text: string): string | undefined {
  if (!text.startsWith('P')) return 'must start with P';
  const rest = text.slice(1);
  if (rest === '') return 'nothing after P';
  if (rest.endsWith('W')) {
    if (rest === 'W') return 'no number in week';
    return /^\d+W$/.test(rest) ? undefined : 'invalid week';
  }
  const allUnits = ['YMD', 'HMS'];
  for (const [index, part] of rest.split('T').entries()) {
    if (index !== 0 && part === '') return 'no time elements';
    const units = allUnits[index];
    if (units === undefined) return 'more than one T';
    const problem = unitsProblem(part, units);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unitsProblem(text: string, all: string): string | undefined {
  let units = all;
  let rest = text;
  while (rest !== '') {
    const [digits = ''] = /^\d*/.exec(rest) ?? [];
    if (digits === '') return 'missing number';
    rest = rest.slice(digits.length);
    if (rest === '') return 'missing unit';
    const unit = rest.charAt(0);
    const position = units.indexOf(unit);
    if (position < 0) {
      // Go looks at one byte.
      const [byte = 0] = new TextEncoder().encode(unit);
      return all.includes(unit)
        ? `unit ${quotedRune(byte)} out of order`
        : `invalid unit ${quotedRune(byte)}`;
    }
    units = units.slice(position + 1);
    rest = rest.slice(1);
  }
  return undefined;
}

/** Returns why a text is not a date such as `2026-01-31`. */
export function dateProblem(text: string): string | undefined {
  const time = parseTimeAs('2006-01-02', text);
  return time instanceof Error ? time.message : undefined;
}

/** Returns why a text is not a time with an offset, such as `12:00:00Z`. */
export function timeProblem(text: string): string | undefined {
  if (byteLength(text) < 9) return 'less than 9 characters long';
  const bytes = Buffer.from(text).toString('latin1');
  if (bytes[2] !== ':' || bytes[5] !== ':') return 'missing colon in correct place';
  const [first = '', second = '', ...others] = bytes.slice(0, 8).split(':');
  const parts = numbersOf([first, second, others.join(':')], 'hour/min/sec');
  if (typeof parts === 'string') return parts;
  const [hour = 0, minute = 0, seconds = 0] = parts;
  if (hour > 23 || minute > 59 || seconds > 60) return 'hour/min/sec out of range';
  const [fraction = ''] = /^(?:\.\d*)?/.exec(bytes.slice(8)) ?? [];
  if (fraction === '.') return 'no digits in second fraction';
  const offset = offsetOf(bytes.slice(8 + fraction.length));
  if (typeof offset === 'string') return offset;
  const minutes = hour * 60 + minute - offset;
  const inDay = minutes < 0 ? minutes + 24 * 60 : minutes;
  const isLast = Math.floor(inDay / 60) === 23 && inDay % 60 === 59;
  return seconds >= 60 && !isLast ? 'invalid leap second' : undefined;
}

/** Returns the minutes of an offset such as `+01:00`. */
function offsetOf(text: string): number | string {
  if (text === 'z' || text === 'Z') return 0;
  if (text.length !== 6) return 'offset must be 6 characters long';
  if (!/^[-+]/.test(text)) return 'offset must begin with plus/minus';
  if (text[3] !== ':') return 'missing colon in offset in correct place';
  const parts = numbersOf([text.slice(1, 3), text.slice(4)], 'hour/min in offset');
  if (typeof parts === 'string') return parts;
  const [hours = 0, minutes = 0] = parts;
  if (hours > 23 || minutes > 59) return 'hour/min in offset out of range';
  const total = hours * 60 + minutes;
  return text.startsWith('-') ? -total : total;
}

/** Returns numbers that are not negative, or why the first other text is not one. */
function numbersOf(texts: readonly string[], name: string): number[] | string {
  const numbers: number[] = [];
  for (const text of texts) {
    const number = parsedInteger(text);
    if (typeof number === 'string') return `invalid ${name}`;
    if (number < 0) return `non-positive ${name}`;
    numbers.push(number);
  }
  return numbers;
}

/** Returns why a text is not a time of RFC 3339. */
export function dateTimeProblem(text: string): string | undefined {
  const bytes = Buffer.from(text);
  if (bytes.length < 20) return 'less than 20 characters long';
  if (!/[tT]/.test(String.fromCharCode(bytes[10] ?? 0))) return '11th character must be t or T';
  const date = dateProblem(bytes.subarray(0, 10).toString());
  if (date !== undefined) return `invalid date element: ${date}`;
  const time = timeProblem(bytes.subarray(11).toString());
  return time === undefined ? undefined : `invalid time element: ${time}`;
}

/** Returns why a text is not a period of ISO 8601. */
export function periodProblem(text: string): string | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return 'missing slash';
  const [start, end] = [text.slice(0, slash), text.slice(slash + 1)];
  const explained = (what: string, problem: string | undefined): string | undefined =>
    problem === undefined ? undefined : `invalid ${what}: ${problem}`;
  if (start.startsWith('P'))
    return (
      explained('start duration', durationProblem(start)) ?? explained('end date-time', dateTimeProblem(end))
    );
  return (
    explained('start date-time', dateTimeProblem(start)) ??
    (end.startsWith('P')
      ? explained('end duration', durationProblem(end))
      : explained('end date-time', dateTimeProblem(end)))
  );
}

import { parseGoNanoseconds } from '../time/duration.ts';
import { goQuote } from '../go/quote.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];

const descriptors: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

/** Returns why a text is not a schedule. Undefined if it is one. As ParseStandard of robfig/cron 3, without time zones. */
export function scheduleError(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return descriptorError(schedule);
  const parts = schedule.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fields.length)
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, part] of parts.entries()) {
    const bounds = fields[index];
    // Go ignores commas at the ends
    for (const range of part.split(',').filter((text) => text !== '')) {
      const error = bounds && rangeError(range, bounds);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

function descriptorError(descriptor: string): string | undefined {
  if (descriptors.has(descriptor)) return undefined;
  if (!descriptor.startsWith('@every ')) return `unrecognized descriptor: ${descriptor}`;
  const text = descriptor.slice('@every '.length);
  const duration = parseGoNanoseconds(text);
  return duration instanceof Error
    ? `failed to parse duration ${descriptor}: ${duration.message}`
    : undefined;
}

/** As getRange: a star, a number or a range, with or without a step. */
function rangeError(text: string, bounds: Bounds): string | undefined {
  const [range = '', stepText, ...moreSteps] = text.split('/');
  const [low = '', high, ...moreEnds] = range.split('-');
  let [start, end] = [bounds.min, bounds.max];
  if (low !== '*' && low !== '?') {
    const first = numberOf(low, bounds.names);
    if (typeof first === 'string') return first;
    start = first;
    end = first;
    if (moreEnds.length > 0) return `too many hyphens: ${text}`;
    if (high !== undefined) {
      const last = numberOf(high, bounds.names);
      if (typeof last === 'string') return last;
      end = last;
    }
  }
  let step = 1;
  if (moreSteps.length > 0) return `too many slashes: ${text}`;
  if (stepText !== undefined) {
    const number = numberOf(stepText, undefined);
    if (typeof number === 'string') return number;
    step = number;
    if (high === undefined) end = bounds.max;
  }
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${text}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

/** Returns a number, or why the text is not one. As parseIntOrName: the names of months begin with 1, those of days with 0. */
function numberOf(text: string, names: readonly string[] | undefined): number | string {
  const position = names?.indexOf(text.toLowerCase()) ?? -1;
  if (position >= 0) return names === months ? position + 1 : position;
  if (!/^[-+]?\d+$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

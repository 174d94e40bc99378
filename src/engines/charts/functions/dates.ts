import {
  FunctionError,
  goFunction,
  Integer,
  UnsupportedFunctionError,
  type Call,
  type GoFunction,
  type SampleKind,
  type Value,
} from '../../gotemplate/index.ts';
import { formatGoNanoseconds, parseGoNanoseconds } from '../../../base/time/duration.ts';
import {
  addNanoseconds,
  fromNanoseconds,
  instant,
  zeroInstant,
  type Instant,
} from '../../../base/time/instant.ts';
import { parseTimeAs } from '../../../base/time/parse.ts';
import { loadZone, utc } from '../../../base/time/zone.ts';
import { difference, formatted, instantOf, roundedTo, timeValue } from './time-value.ts';

const htmlLayout = '2006-01-02';
const second = 1_000_000_000n;

/** Functions on dates. They read the clock only of the execution. */
export const dateFunctions: Readonly<Record<string, GoFunction>> = {
  now: goFunction(' -> time.Time', (_args, call) => timeValue(now(call))),
  ago: goFunction('any -> string', ([date], call) => {
    const passed = difference(now(call), dateArgument(date, call));
    return formatGoNanoseconds(roundedTo(passed, second));
  }),
  date: goFunction('string, any -> string', ([layout, date], call) =>
    inZone(layout as string, date, 'Local', call),
  ),
  htmlDate: goFunction('any -> string', ([date], call) => inZone(htmlLayout, date, 'Local', call)),
  htmlDateInZone: goFunction('any, string -> string', ([date, zone], call) =>
    inZone(htmlLayout, date, zone as string, call),
  ),
  ...named(['dateInZone', 'date_in_zone'], 'string, any, string -> string', ([layout, date, zone], call) =>
    inZone(layout as string, date, zone as string, call),
  ),
  ...named(['dateModify', 'date_modify'], 'string, time.Time -> time.Time', ([text, date]) => {
    const duration = parseGoNanoseconds(text as string);
    return duration instanceof Error ? (date ?? null) : timeValue(moved(date, duration));
  }),
  ...named(['mustDateModify', 'must_date_modify'], 'string, time.Time -> time.Time', ([text, date]) => {
    const duration = parseGoNanoseconds(text as string);
    if (duration instanceof Error) throw new FunctionError(duration.message);
    return timeValue(moved(date, duration));
  }),
  toDate: goFunction('string, string -> time.Time', ([layout, text]) => {
    const time = parseTimeAs(layout as string, text as string);
    return timeValue(time instanceof Error ? zeroInstant : time);
  }),
  mustToDate: goFunction('string, string -> time.Time', ([layout, text]) => {
    const time = parseTimeAs(layout as string, text as string);
    if (time instanceof Error) throw new FunctionError(time.message);
    return timeValue(time);
  }),
  unixEpoch: goFunction('time.Time -> string', ([date]) => String(instantOf(date)?.seconds)),
  duration: goFunction('any -> string', ([seconds]) =>
    formatGoNanoseconds(BigInt.asIntN(64, wholeSeconds(seconds) * second)),
  ),
  durationRound: goFunction('any -> string', ([value], call) => roundedDuration(value, call)),
};

function named(
  names: readonly string[],
  signature: string,
  call: (args: readonly Value[], call: Call) => Value,
): Record<string, GoFunction> {
  return Object.fromEntries(names.map((name) => [name, goFunction(signature, call)]));
}

/**
 * Returns the time of a sample, in nanoseconds since 1970. Those that are not random differ in every field: 2001-02-03T04:05:06.000000007Z,
 * a Saturday, and 2033-10-19T17:48:59.987654321Z, a Wednesday.
 */
export function sampleTime(kind: SampleKind): bigint {
  return timeSamples[kind]();
}

const timeSamples: Readonly<Record<SampleKind, () => bigint>> = {
  first: () => 981_173_106_000_000_007n,
  second: () => 2_013_356_939_987_654_321n,
  random: () => BigInt(Date.now()) * 1_000_000n,
};

function now(call: Call): Instant {
  if (call.now !== undefined) return fromNanoseconds(call.now, utc);
  if (call.sample === undefined)
    throw new UnsupportedFunctionError('not supported: its result depends on the time of rendering');
  call.sample.readClock();
  return fromNanoseconds(sampleTime(call.sample.kind), utc);
}

/** A date, or seconds since 1970; any other value is the current time. */
function dateArgument(date: Value, call: Call): Instant {
  if (date instanceof Integer && ['int', 'int32', 'int64'].includes(date.type)) return instant(date.value);
  return instantOf(date) ?? now(call);
}

/** The steps of a conversion to a zone of the time zone database. */
const zoneSteps = 300;

function inZone(layout: string, date: Value, zone: string, call: Call): string {
  if (zone !== 'Local') call.spend(zoneSteps);
  return formatted({ ...dateArgument(date, call), zone: loadZone(zone) ?? utc }, layout);
}

function moved(date: Value, duration: bigint): Instant {
  return addNanoseconds(instantOf(date) ?? zeroInstant, duration);
}

/** As strconv.ParseInt, whose result beyond an int64 is the nearest one. */
function wholeSeconds(value: Value): bigint {
  if (value instanceof Integer) return value.type === 'int64' ? value.value : 0n;
  if (typeof value !== 'string' || !/^[-+]?\d+$/.test(value)) return 0n;
  const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
  const seconds = BigInt(value.replace('+', ''));
  return seconds > most ? most : seconds < least ? least : seconds;
}

const units: readonly (readonly [bigint, string])[] = [
  [365n * 86_400n, 'y'],
  [30n * 86_400n, 'mo'],
  [86_400n, 'd'],
  [3_600n, 'h'],
  [60n, 'm'],
  [1n, 's'],
];

/** The largest unit that a duration exceeds. */
function roundedDuration(value: Value, call: Call): string {
  const duration = durationArgument(value, call);
  const size = duration < 0n ? -duration : duration;
  const unit = units.find(([seconds]) => size > seconds * second);
  return unit === undefined ? '0s' : String(size / (unit[0] * second)) + unit[1];
}

function durationArgument(value: Value, call: Call): bigint {
  if (value instanceof Integer) return value.type === 'int64' ? value.value : 0n;
  if (typeof value === 'string') {
    const duration = parseGoNanoseconds(value);
    return duration instanceof Error ? 0n : duration;
  }
  const time = instantOf(value);
  return time === undefined ? 0n : difference(now(call), time);
}

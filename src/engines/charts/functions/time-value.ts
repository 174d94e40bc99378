import {
  FunctionError,
  GoObject,
  goFunction,
  type Integer,
  NamedInteger,
  UnsupportedFunctionError,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';
import { formatGoNanoseconds } from '../../../base/time/duration.ts';
import { AbbreviationError, formatTime, rfc3339Nano, stringLayout } from '../../../base/time/format.ts';
import {
  addNanoseconds,
  civilTime,
  instant,
  isZero,
  nanosecondsOf,
  secondsOf,
  weekdayOf,
  yearDayOf,
  type Instant,
} from '../../../base/time/instant.ts';
import { months, weekdays } from '../../../base/time/layout.ts';
import { utc, ZoneRangeError } from '../../../base/time/zone.ts';
import { goInt, goInt64 } from './conversion.ts';

const durationType = 'time.Duration';
const timeType = 'time.Time';
const [leastInt64, mostInt64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Returns the time that an object is; undefined for other values. */
export function instantOf(value: Value): Instant | undefined {
  return value instanceof GoObject && value.type === timeType ? (value.content as Instant) : undefined;
}

/** Formats a time; what Node cannot know of a zone is an error. */
export function formatted(time: Instant, layout: string): string {
  return withZones(() => formatTime(time, layout));
}

function withZones<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AbbreviationError || error instanceof ZoneRangeError)
      throw new UnsupportedFunctionError(`not supported: ${error.message}`);
    throw error;
  }
}

/** Returns a `time.Time`. */
export function timeValue(time: Instant): GoObject {
  return new GoObject(timeType, {
    text: formatted(time, stringLayout),
    methods: timeMethods(time),
    content: time,
    contentKey: `${formatted(time, rfc3339Nano)} ${time.zone.name}`,
    // Go has one location for UTC, and a new one each time that it reads another zone.
    hasPointer: time.zone !== utc,
    encodedText: formatted(time, rfc3339Nano),
  });
}

/** Returns a `time.Duration`. */
export function durationValue(nanoseconds: bigint): NamedInteger {
  const text = formatGoNanoseconds(nanoseconds);
  const amount = (divisor: number): GoFunction =>
    goFunction(' -> float64', () => inUnit(nanoseconds, divisor));
  const whole = (divisor: bigint): GoFunction =>
    goFunction(' -> int64', () => goInt64(nanoseconds / divisor));
  const rounding = (round: (value: bigint, unit: bigint) => bigint): GoFunction =>
    goFunction(`${durationType} -> ${durationType}`, ([unit]) =>
      durationValue(round(nanoseconds, (unit as Integer).value)),
    );
  const methods = {
    String: goFunction(' -> string', () => text),
    Hours: amount(3_600_000_000_000),
    Minutes: amount(60_000_000_000),
    Seconds: amount(1_000_000_000),
    Milliseconds: whole(1_000_000n),
    Microseconds: whole(1_000n),
    Nanoseconds: whole(1n),
    Abs: goFunction(` -> ${durationType}`, () =>
      durationValue(nanoseconds === leastInt64 ? mostInt64 : nanoseconds < 0n ? -nanoseconds : nanoseconds),
    ),
    Truncate: rounding(truncatedTo),
    Round: rounding(roundedTo),
  };
  return new NamedInteger(nanoseconds, durationType, {
    kind: 'int64',
    text,
    methods: new Map(Object.entries(methods)),
  });
}

/** As Duration.Hours: the whole units and the rest are converted one by one. */
function inUnit(nanoseconds: bigint, divisor: number): number {
  const unit = BigInt(divisor);
  return Number(nanoseconds / unit) + Number(nanoseconds % unit) / divisor;
}

function truncatedTo(value: bigint, unit: bigint): bigint {
  return unit <= 0n ? value : value - (value % unit);
}

/** As Duration.Round: half away from zero, within an int64. */
export function roundedTo(value: bigint, unit: bigint): bigint {
  if (unit <= 0n) return value;
  const rest = value < 0n ? -(value % unit) : value % unit;
  const rounded = value < 0n ? value + rest : value - rest;
  if (rest + rest < unit) return rounded;
  return clamped(value < 0n ? rounded - unit : rounded + unit);
}

function clamped(value: bigint): bigint {
  return value > mostInt64 ? mostInt64 : value < leastInt64 ? leastInt64 : value;
}

/** As Time.Sub. */
export function difference(a: Instant, b: Instant): bigint {
  return clamped(nanosecondsOf(a) - nanosecondsOf(b));
}

function namedNumber(value: number, type: string, names: readonly string[], first: number): NamedInteger {
  const text = names[value - first] ?? '';
  return new NamedInteger(BigInt(value), type, {
    kind: 'int',
    text,
    methods: new Map([['String', goFunction(' -> string', () => text)]]),
  });
}

function timeMethods(time: Instant): ReadonlyMap<string, GoFunction> {
  const civil = (): ReturnType<typeof civilTime> => withZones(() => civilTime(time));
  const method = (result: string, read: () => Value): GoFunction => goFunction(` -> ${result}`, read);
  const compared = (result: string, read: (difference: bigint) => Value): GoFunction =>
    goFunction(`${timeType} -> ${result}`, ([other]) =>
      read(nanosecondsOf(time) - nanosecondsOf(required(other))),
    );
  const total = nanosecondsOf(time);
  const methods = {
    Format: goFunction('string -> string', ([layout]) => formatted(time, layout as string)),
    String: method('string', () => formatted(time, stringLayout)),
    Year: method('int', () => goInt(civil().year)),
    Month: method('time.Month', () => namedNumber(civil().month, 'time.Month', months, 1)),
    Day: method('int', () => goInt(civil().day)),
    Hour: method('int', () => goInt(civil().hour)),
    Minute: method('int', () => goInt(civil().minute)),
    Second: method('int', () => goInt(civil().second)),
    Nanosecond: method('int', () => goInt(time.nanoseconds)),
    YearDay: method('int', () => goInt(withZones(() => yearDayOf(time)))),
    Weekday: method('time.Weekday', () =>
      namedNumber(
        withZones(() => weekdayOf(time)),
        'time.Weekday',
        weekdays,
        0,
      ),
    ),
    Unix: method('int64', () => goInt64(time.seconds)),
    UnixMilli: method('int64', () => goInt64(floorDivided(total, 1_000_000n))),
    UnixMicro: method('int64', () => goInt64(floorDivided(total, 1_000n))),
    UnixNano: method('int64', () => goInt64(total)),
    IsZero: method('bool', () => isZero(time)),
    UTC: method(timeType, () => timeValue({ ...time, zone: utc })),
    Local: method(timeType, () => timeValue({ ...time, zone: utc })),
    Before: compared('bool', (order) => order < 0n),
    After: compared('bool', (order) => order > 0n),
    Equal: compared('bool', (order) => order === 0n),
    Compare: compared('int', (order) => goInt(order < 0n ? -1 : order > 0n ? 1 : 0)),
    Sub: compared(durationType, (order) => durationValue(clamped(order))),
    Add: goFunction(`${durationType} -> ${timeType}`, ([duration]) =>
      timeValue(addNanoseconds(time, (duration as Integer).value)),
    ),
    AddDate: goFunction(`int, int, int -> ${timeType}`, (args) =>
      timeValue(dateAdded(time, args as Integer[])),
    ),
  };
  return new Map(Object.entries(methods));
}

function floorDivided(value: bigint, unit: bigint): bigint {
  return (value - (((value % unit) + unit) % unit)) / unit;
}

function required(value: Value): Instant {
  const time = instantOf(value);
  if (time === undefined) throw new FunctionError(`expected ${timeType}`);
  return time;
}

function dateAdded(time: Instant, amounts: readonly Integer[]): Instant {
  const [years = 0, months_ = 0, days = 0] = amounts.map(({ value }) => Number(value));
  if (Math.abs(years) + Math.abs(months_) + Math.abs(days) > 1e9)
    throw new UnsupportedFunctionError('not supported: dates that are more than a billion days apart');
  const civil = civilTime(time);
  const moved = { ...civil, year: civil.year + years, month: civil.month + months_, day: civil.day + days };
  const local = secondsOf(moved);
  const offset = time.zone.offsetAt(local - BigInt(time.zone.offsetAt(local)));
  return instant(local - BigInt(offset), time.nanoseconds, time.zone);
}

import { utc, type Zone } from './zone.ts';

/** A time as Go's `time.Time` holds it. */
export interface Instant {
  /** Since 1970. */
  readonly seconds: bigint;
  /** 0 … 999,999,999 */
  readonly nanoseconds: number;
  readonly zone: Zone;
}

/** What a clock and a calendar show. */
export interface CivilTime {
  readonly year: number;
  /** 1 … 12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Seconds from Go's zero time, which is in the year 1, to 1970. */
const untilEpoch = 62_135_596_800n;

/** Go's zero time. */
export const zeroInstant: Instant = instant(-untilEpoch);

/** Returns a time. Go counts from the year 1 in an int64, which wraps around. */
export function instant(seconds: bigint, nanoseconds = 0, zone: Zone = utc): Instant {
  return { seconds: BigInt.asIntN(64, seconds + untilEpoch) - untilEpoch, nanoseconds, zone };
}

export function isZero({ seconds, nanoseconds }: Instant): boolean {
  return seconds === -untilEpoch && nanoseconds === 0;
}

/** Returns the nanoseconds since 1970. */
export function nanosecondsOf({ seconds, nanoseconds }: Instant): bigint {
  return seconds * 1_000_000_000n + BigInt(nanoseconds);
}

/** As time.Time.Add. */
export function addNanoseconds(time: Instant, duration: bigint): Instant {
  return fromNanoseconds(nanosecondsOf(time) + duration, time.zone);
}

/** @param total - nanoseconds since 1970 */
export function fromNanoseconds(total: bigint, zone: Zone): Instant {
  const rest = ((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return instant((total - rest) / 1_000_000_000n, Number(rest), zone);
}

/** Seconds from the first year that package time can show, to 1970. It counts from there in a uint64, which wraps around. */
const sinceFirstYear = ((292_277_022_400n * 3_652_425n) / 10_000n + 306n) * 86_400n + untilEpoch;

function fromFirstYear(seconds: bigint): bigint {
  return BigInt.asUintN(64, seconds + sinceFirstYear) - sinceFirstYear;
}

/** Returns the date and the time of day in the zone of a time. */
export function civilTime({ seconds, zone }: Instant): CivilTime {
  const local = fromFirstYear(seconds + BigInt(zone.offsetAt(seconds)));
  const ofDay = Number(((local % 86_400n) + 86_400n) % 86_400n);
  const { year, month, day } = dateOf(Number((local - BigInt(ofDay)) / 86_400n));
  return {
    year,
    month,
    day,
    hour: Math.floor(ofDay / 3600),
    minute: Math.floor(ofDay / 60) % 60,
    second: ofDay % 60,
  };
}

/** Returns the seconds since 1970 of a date and time in UTC. Months and days beyond their range count on. */
export function secondsOf({ year, month, day, hour, minute, second }: CivilTime): bigint {
  const months = year * 12 + month - 1;
  const days = daysUntil(Math.floor(months / 12), ((months % 12) + 12) % 12) + day - 1;
  return BigInt(days) * 86_400n + BigInt(hour * 3600 + minute * 60 + second);
}

export function weekdayOf(time: Instant): number {
  const { year, month, day } = civilTime(time);
  return (((daysUntil(year, month - 1) + day - 1 + 4) % 7) + 7) % 7;
}

export function yearDayOf(time: Instant): number {
  const { year, month, day } = civilTime(time);
  return daysUntil(year, month - 1) - daysUntil(year, 0) + day;
}

/** @param month - 1 … 12 */
export function daysInMonth(year: number, month: number): number {
  return daysUntil(month === 12 ? year + 1 : year, month % 12) - daysUntil(year, month - 1);
}

/** Days from 1970 until the first day of a month, which is counted from 0. Years of this calculation begin in March. */
function daysUntil(year: number, month: number): number {
  const shifted = month < 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const ofEra = shifted - era * 400;
  const ofYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5);
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

function dateOf(days: number): Pick<CivilTime, 'year' | 'month' | 'day'> {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

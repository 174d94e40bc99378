import { duration, method, text, timestamp } from '../function.ts';
import type { FunctionDeclaration, Overload } from '../function.ts';
import { durationIn, inZone } from '../values/time.ts';
import { intType } from '../check/types.ts';
import { CelError } from '../error.ts';
import type { CelDuration, CelResult, CelTimestamp } from '../values/value.ts';

function getter(
  name: string,
  id: string,
  get: (date: Date, time: CelTimestamp) => number,
  ofDuration?: (value: CelDuration) => bigint,
  zonedId = `${id}_with_tz`,
): FunctionDeclaration {
  const read = (time: CelTimestamp, zone: string): CelResult => {
    const date = inZone(time, zone);
    return date instanceof CelError ? date : BigInt(get(date, time));
  };
  const overloads: Overload[] = [
    method(`timestamp_to_${id}`, [timestamp], intType, (time) => read(time, 'UTC')),
    method(`timestamp_to_${zonedId}`, [timestamp, text], intType, read),
  ];
  if (ofDuration !== undefined) overloads.push(method(`duration_to_${id}`, [duration], intType, ofDuration));
  return { name, overloads };
}

function whole(unit: 's' | 'm' | 'h'): (value: CelDuration) => bigint {
  return (value) => BigInt(Math.trunc(durationIn(value, unit)));
}

/** The getters of timestamps and durations. */
export const timeFunctions: readonly FunctionDeclaration[] = [
  getter('getFullYear', 'year', (date) => date.getUTCFullYear()),
  getter('getMonth', 'month', (date) => date.getUTCMonth()),
  getter('getDayOfYear', 'day_of_year', dayOfYear),
  getter('getDayOfMonth', 'day_of_month', (date) => date.getUTCDate() - 1),
  getter('getDate', 'day_of_month_1_based', (date) => date.getUTCDate()),
  getter('getDayOfWeek', 'day_of_week', (date) => date.getUTCDay()),
  getter('getHours', 'hours', (date) => date.getUTCHours(), whole('h')),
  getter('getMinutes', 'minutes', (date) => date.getUTCMinutes(), whole('m')),
  getter('getSeconds', 'seconds', (date) => date.getUTCSeconds(), whole('s'), 'seconds_tz'),
  getter(
    'getMilliseconds',
    'milliseconds',
    (_, time) => Math.trunc(time.nanoseconds / 1_000_000),
    (value) => value.nanoseconds / 1_000_000n,
  ),
];

/** Counted from 0. */
function dayOfYear(date: Date): number {
  const newYear = new Date(date);
  newYear.setUTCMonth(0, 1);
  return Math.round((date.getTime() - newYear.getTime()) / 86_400_000);
}

import { CannotTell, CelDuration, CelError, CelTimestamp, maxInt } from './value.ts';
import type { CelResult } from './value.ts';
import { formatDouble } from './number-format.ts';

/** The years 1 to 9999, in seconds since 1970. */
const earliest = -62_135_596_800;
const latest = 253_402_300_799;

export const timestampOverflow = new CelError('timestamp overflow');

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Reads a timestamp as Go's `time.Parse(time.RFC3339)`; undefined where it is none. */
export function parseTimestamp(text: string): CelTimestamp | CelError | undefined {
  const parts = rfc3339.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [zoneHour = 0, zoneMinute = 0] = parts
    .slice(9, 11)
    .map((part: string | undefined) => Number(part ?? 0));
  if (zoneHour > 24 || zoneMinute > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;

  const zone = (parts[8] === '-' ? -1 : 1) * (zoneHour * 3600 + zoneMinute * 60);
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - zone;
  const nanoseconds = Number((parts[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return timestampAt(seconds, nanoseconds, zone);
}

/** A timestamp within the years that CEL allows. */
export function timestampAt(seconds: number, nanoseconds = 0, secondsEastOfUtc = 0): CelTimestamp | CelError {
  if (seconds < earliest || seconds > latest) return timestampOverflow;
  return new CelTimestamp(seconds, nanoseconds, secondsEastOfUtc);
}

export function addToTime(time: CelTimestamp, nanoseconds: bigint): CelResult {
  const sum = BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds) + nanoseconds;
  const rest = Number(((sum % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n);
  return timestampAt(Number((sum - BigInt(rest)) / 1_000_000_000n), rest, time.secondsEastOfUtc);
}

/** As Go's RFC 3339 with nanoseconds, in the zone that it was written in. */
export function formatTimestamp(time: CelTimestamp, zone = time.secondsEastOfUtc): string {
  const local = new Date((time.seconds + zone) * 1000).toISOString();
  const fraction = String(time.nanoseconds).padStart(9, '0').replace(/0+$/, '');
  const minutes = Math.trunc(Math.abs(zone) / 60);
  const offset =
    zone === 0
      ? 'Z'
      : `${zone < 0 ? '-' : '+'}${twoDigits(Math.trunc(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return `${local.slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}${offset}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The calendar of a timestamp, as fields of a Date in UTC that is shifted into a zone. */
export function inZone(time: CelTimestamp, zone: string): Date | CelError {
  const offset = zoneOffset(zone);
  return typeof offset === 'number' ? new Date((time.seconds + offset) * 1000) : offset;
}

/** As inTimeZone of cel-go's standard library, in seconds. */
function zoneOffset(zone: string): number | CelError {
  const colon = zone.indexOf(':');
  if (colon < 0) {
    if (zone === '' || zone === 'UTC') return 0;
    throw new CannotTell(`the time zone ${JSON.stringify(zone)} is looked up in the files of the hub`);
  }
  const [hours, minutes] = [atoi(zone.slice(0, colon)), atoi(zone.slice(colon + 1))];
  if (hours === undefined || minutes === undefined)
    return new CelError(`invalid time zone ${JSON.stringify(zone)}`);
  return (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60;
}

/** As Go's `strconv.Atoi`, for numbers that a time zone could hold. */
function atoi(text: string): number | undefined {
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Reads a duration as Go's `time.ParseDuration`; undefined where it is none. */
export function parseDuration(text: string): CelDuration | undefined {
  const negative = text.startsWith('-');
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return new CelDuration(0n);
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(unsigned)) return undefined;

  const limit = maxInt + 1n;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of unsigned.matchAll(/(\d*)\.?(\d*)([a-zµμ]+)/g)) {
    const size = units[unit] ?? 1n;
    const value = BigInt(whole || '0');
    if (value > limit) return undefined;
    total += value * size + BigInt(fractionOf(fraction, size));
    if (total > limit) return undefined;
  }
  if (negative) return new CelDuration(-total);
  return total > maxInt ? undefined : new CelDuration(total);
}

/** As leadingFraction: digits beyond what an int64 holds are dropped, the rest is scaled as a double. */
function fractionOf(digits: string, size: bigint): number {
  let [value, scale] = [0n, 1];
  for (const digit of digits) {
    if (value > maxInt / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > maxInt + 1n) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0 : Math.trunc(Number(value) * (Number(size) / scale));
}

/** Whole and broken seconds, minutes or hours as Go's `Duration.Seconds()` and its like compute them. */
export function durationIn(duration: CelDuration, unit: 's' | 'm' | 'h'): number {
  const size = units[unit] ?? 1n;
  return Number(duration.nanoseconds / size) + Number(duration.nanoseconds % size) / Number(size);
}

export function formatDuration(duration: CelDuration): string {
  return `${formatDouble(durationIn(duration, 's'))}s`;
}

import { parseGoNanoseconds } from '../../../base/time/duration.ts';
import { parseTime } from '../../../base/time/rfc3339.ts';
import { formatDouble } from '../../../base/go/format-float.ts';
import { CelDuration, CelTimestamp } from './value.ts';
import { CannotTell, CelError } from '../error.ts';
import type { CelResult } from './value.ts';

/** The years 1 to 9999, in seconds since 1970. */
const earliest = -62_135_596_800;
const latest = 253_402_300_799;

export const timestampOverflow = new CelError('timestamp overflow');

/** Parses a timestamp as Go's `time.Parse(time.RFC3339)`; undefined if it is invalid. */
export function parseTimestamp(text: string): CelTimestamp | CelError | undefined {
  const parsed = parseTime(text);
  return parsed && timestampAt(parsed.seconds, parsed.nanoseconds, parsed.secondsEastOfUtc);
}

/** Returns a timestamp within the years that CEL allows. */
export function timestampAt(seconds: number, nanoseconds = 0, secondsEastOfUtc = 0): CelTimestamp | CelError {
  if (seconds < earliest || seconds > latest) return timestampOverflow;
  return new CelTimestamp(seconds, nanoseconds, secondsEastOfUtc);
}

export function addToTime(time: CelTimestamp, nanoseconds: bigint): CelResult {
  const sum = BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds) + nanoseconds;
  const rest = Number(((sum % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n);
  return timestampAt(Number((sum - BigInt(rest)) / 1_000_000_000n), rest, time.secondsEastOfUtc);
}

/** As Go's RFC 3339 with nanoseconds, in the time zone of the original text. */
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

/** Returns the calendar of a timestamp, as fields of a Date in UTC that is shifted into a zone. */
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

/** As Go's `strconv.Atoi`, for numbers that can occur in a time zone. */
function atoi(text: string): number | undefined {
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Parses a duration as Go's `time.ParseDuration`; undefined if it is invalid. */
export function parseDuration(text: string): CelDuration | undefined {
  const nanoseconds = parseGoNanoseconds(text);
  return nanoseconds instanceof Error ? undefined : new CelDuration(nanoseconds);
}

const nanosecondsPer = { s: 1_000_000_000n, m: 60_000_000_000n, h: 3_600_000_000_000n } as const;

/** Returns seconds, minutes or hours with their fraction, as Go's `Duration.Seconds()` and similar methods compute them. */
export function durationIn(duration: CelDuration, unit: 's' | 'm' | 'h'): number {
  const size = nanosecondsPer[unit];
  return Number(duration.nanoseconds / size) + Number(duration.nanoseconds % size) / Number(size);
}

export function formatDuration(duration: CelDuration): string {
  return `${formatDouble(durationIn(duration, 's'))}s`;
}

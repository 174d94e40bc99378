const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** The text of Go's zero `time.Time`, which means that there is no time. */
export const zeroTime = '0001-01-01T00:00:00Z';

/** A time, and the time zone in which it was written. */
export interface ParsedTime {
  /** Since 1970. */
  readonly seconds: number;
  /** 0 … 999,999,999 */
  readonly nanoseconds: number;
  readonly secondsEastOfUtc: number;
}

/**
 * Parses a time as Go's `time.Parse(time.RFC3339)`, which also accepts an hour of one digit and a comma before the fraction.
 * Undefined if Go rejects the text.
 */
export function parseTime(text: string): ParsedTime | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [zoneHours, zoneMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || zoneHours > 24 || zoneMinutes > 60) return undefined;

  const date = new Date(0);
  // not Date.UTC, which reads the years 0 to 99 as years of the 20th century
  date.setUTCFullYear(year, month - 1, day);
  // a day that the month does not have becomes a day of another month
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;

  const secondsEastOfUtc = (match[8] === '-' ? -1 : 1) * (zoneHours * 3600 + zoneMinutes * 60);
  return {
    seconds: date.getTime() / 1000 + hour * 3600 + minute * 60 + second - secondsEastOfUtc,
    nanoseconds: Number((match[7] ?? '').slice(0, 9).padEnd(9, '0')),
    secondsEastOfUtc,
  };
}

/** Returns a time as Kubernetes prints it: RFC 3339, UTC, whole seconds. Undefined if Go rejects the text. */
export function normalizeTime(text: string): string | undefined {
  const milliseconds = moment(text);
  return milliseconds === undefined ? undefined : formatTime(milliseconds);
}

/** Returns the time in a field, in milliseconds since 1970, with fractions truncated; undefined if Go cannot read it. */
export function moment(text: string | null | undefined): number | undefined {
  const parsed = text === undefined || text === null ? undefined : parseTime(text);
  return parsed && parsed.seconds * 1000;
}

/** Formats milliseconds since 1970 as Kubernetes prints a time: RFC 3339, UTC, with fractions truncated. */
export function formatTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -'.000Z'.length)}Z`;
}

const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,]\d+)?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * A time as Kubernetes prints it: RFC 3339, UTC, whole seconds. Undefined where Go's `time.Parse` refuses the text. Go also
 * takes an hour of one digit and a comma before the fraction.
 */
export function normalizeTime(text: string): string | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [offsetHours, offsetMinutes] = [Number(match[8] ?? 0), Number(match[9] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 24 || offsetMinutes > 60) return undefined;

  const time = new Date(0);
  // not Date.UTC, which takes the years 0 to 99 for the 20th century
  time.setUTCFullYear(year, month - 1, day);
  time.setUTCHours(hour, minute, second);
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  const utc = new Date(time.getTime() - (match[7] === '-' ? -offset : offset));
  return `${utc.toISOString().slice(0, -5)}Z`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

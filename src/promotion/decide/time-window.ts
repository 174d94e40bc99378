import { weekdays, type OpenHours, type TimeWindow, type Weekday } from './promotion.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** A window that does not open in two years has no opening. */
const longestSearch = 2 * 366;

/** Whether waves may start at a time, in milliseconds since the epoch. */
export function isOpen(window: TimeWindow, now: number): boolean {
  const { date, minutes } = localTime(now, window);
  return hoursOf(window, date).some(({ from, to }) => from <= minutes && minutes < to);
}

/** Returns the next time at which a closed window opens, in milliseconds since the epoch. Undefined if it never does. */
export function nextOpening(window: TimeWindow, now: number): number | undefined {
  let { date } = localTime(now, window);
  for (let days = 0; days < longestSearch; days += 1) {
    const openings = hoursOf(window, date)
      .map(({ from }) => instantOf(date, from, window))
      .filter((opening) => opening > now);
    if (openings.length > 0) return Math.min(...openings);
    date = nextDay(date);
  }
  return undefined;
}

/** Whether the runtime has a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Whether a text such as `2026-12-24` is a day of the calendar. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Returns the first and the last day of an entry of `closed`. */
export function daysOf(entry: string): readonly [string, string] {
  const [first = '', last = first] = entry.split('/');
  return [first, last];
}

/** Returns the minutes of `09:30` after the beginning of the day. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Returns a time as reports print it, in the time zone of the window: `14:05`, or `2026-12-24 14:05` on another day. */
export function timeWords(time: number, now: number, window: TimeWindow | undefined): string {
  const zone = window ?? {};
  const { date, minutes } = localTime(time, zone);
  const clock = [Math.floor(minutes / 60), minutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const shown = date === localTime(now, zone).date ? clock : `${date} ${clock}`;
  return `${shown} ${zone.timeZone ?? 'UTC'}`;
}

function hoursOf({ open, closed = [] }: TimeWindow, date: string): readonly { from: number; to: number }[] {
  const isClosed = closed.map(daysOf).some(([first, last]) => first <= date && date <= last);
  if (isClosed) return [];
  const weekday = weekdayOf(date);
  const isToday = ({ days }: OpenHours): boolean => days === undefined || days.includes(weekday);
  const hours = (open ?? [{ from: '00:00', to: '24:00' }]).filter(isToday);
  return hours.map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) }));
}

function weekdayOf(date: string): Weekday {
  const index = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return weekdays[index] ?? 'Mon';
}

function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + day).toISOString().slice(0, 10);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  return format;
}

function localTime(
  time: number,
  { timeZone = 'UTC' }: TimeWindow,
): { readonly date: string; readonly minutes: number } {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts.get('year') ?? ''}-${parts.get('month') ?? ''}-${parts.get('day') ?? ''}`;
  return { date, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

/** Returns the instant of a local time. A time that daylight saving skips is an hour later. */
function instantOf(date: string, minutes: number, window: TimeWindow): number {
  const written = Date.parse(`${date}T00:00:00Z`) + minutes * minute;
  const offsetAt = (instant: number): number => asWritten(instant) - instant;
  const asWritten = (instant: number): number => {
    const local = localTime(instant, window);
    return Date.parse(`${local.date}T00:00:00Z`) + local.minutes * minute;
  };
  // The offset of the day before, unless it changes in between.
  const first = written - offsetAt(written - day);
  const second = written - offsetAt(first);
  return asWritten(second) === written ? second : first;
}

import { civilTime, weekdayOf, yearDayOf, type Instant } from './instant.ts';
import { isFraction, isNumericZone, layoutParts, months, weekdays } from './layout.ts';

/** The layout of time.Time.String. */
export const stringLayout = '2006-01-02 15:04:05.999999999 -0700 MST';
/** time.RFC3339Nano. */
export const rfc3339Nano = '2006-01-02T15:04:05.999999999Z07:00';

/** The abbreviation of a time zone, which Node does not have. */
export class AbbreviationError extends Error {
  override readonly name = 'AbbreviationError';
}

/**
 * Formats a time as time.Time.Format.
 *
 * @throws {AbbreviationError} for `MST` in a zone of the time zone database
 */
export function formatTime(time: Instant, layout: string): string {
  return layoutParts(layout)
    .map(({ prefix, element }) => prefix + (element === undefined ? '' : elementText(time, element)))
    .join('');
}

function elementText(time: Instant, element: string): string {
  if (isFraction(element)) return fraction(time.nanoseconds, element);
  if (isNumericZone(element)) return numericZone(time.zone.offsetAt(time.seconds), element);
  const { year, month, day, hour, minute, second } = civilTime(time);
  switch (element) {
    case '2006':
      return padded(year, 4);
    case '06':
      return padded(Math.abs(year) % 100, 2);
    case 'January':
      return months[month - 1] ?? '';
    case 'Jan':
      return (months[month - 1] ?? '').slice(0, 3);
    case '01':
      return padded(month, 2);
    case '1':
      return String(month);
    case 'Monday':
      return weekdays[weekdayOf(time)] ?? '';
    case 'Mon':
      return (weekdays[weekdayOf(time)] ?? '').slice(0, 3);
    case '02':
      return padded(day, 2);
    case '_2':
      return String(day).padStart(2);
    case '2':
      return String(day);
    case '002':
      return padded(yearDayOf(time), 3);
    case '__2':
      return String(yearDayOf(time)).padStart(3);
    case '15':
      return padded(hour, 2);
    case '03':
      return padded(hour % 12 || 12, 2);
    case '3':
      return String(hour % 12 || 12);
    case '04':
      return padded(minute, 2);
    case '4':
      return String(minute);
    case '05':
      return padded(second, 2);
    case '5':
      return String(second);
    case 'PM':
      return hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return hour >= 12 ? 'pm' : 'am';
  }
  return zoneName(time);
}

function zoneName({ zone, seconds }: Instant): string {
  if (zone.abbreviation === undefined)
    throw new AbbreviationError(`the abbreviation of the time zone ${zone.name} is unknown`);
  return zone.abbreviation === '' ? numericZone(zone.offsetAt(seconds), '-0700') : zone.abbreviation;
}

/** Digits after the point. Those of a layout with nines end before trailing zeros. */
function fraction(nanoseconds: number, element: string): string {
  const digits = padded(nanoseconds, 9).slice(0, element.length - 1);
  const separator = element.charAt(0);
  if (element[1] === '0') return separator + digits;
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === '' ? '' : separator + trimmed;
}

function numericZone(offset: number, element: string): string {
  if (offset === 0 && element.startsWith('Z')) return 'Z';
  const minutes = Math.trunc(offset / 60);
  const size = Math.abs(minutes);
  const colon = element.includes(':') ? ':' : '';
  const digits = element.replaceAll(/\D/g, '').length;
  let text = (minutes < 0 ? '-' : '+') + padded(Math.floor(size / 60), 2);
  if (digits > 2) text += colon + padded(size % 60, 2);
  if (digits > 4) text += colon + padded(Math.abs(offset) % 60, 2);
  return text;
}

function padded(value: number, width: number): string {
  return value < 0 ? `-${padded(-value, width)}` : String(value).padStart(width, '0');
}

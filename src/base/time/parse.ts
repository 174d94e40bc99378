import { quotedTime } from './duration.ts';
import { daysInMonth, instant, secondsOf, type Instant } from './instant.ts';
import { isFraction, isNumericZone, layoutParts, months, weekdays } from './layout.ts';
import { fixedZone, utc, type Zone } from './zone.ts';

/** Ends parsing where the value does not match the layout. */
class Mismatch extends Error {}

/** Ends parsing with a number that is too large or too small. */
class OutOfRange extends Error {}

/** Parses a time as time.ParseInLocation does in UTC, or returns Go's error. */
export function parseTimeAs(layout: string, value: string): Instant | Error {
  return new TimeParser(layout, value).parse();
}

const shortMonths = months.map((name) => name.slice(0, 3));
const shortWeekdays = weekdays.map((name) => name.slice(0, 3));

class TimeParser {
  readonly #layout: string;
  readonly #value: string;
  #rest: string;
  #year = 0;
  #month = -1;
  #day = -1;
  #yearDay = -1;
  #hour = 0;
  #minute = 0;
  #second = 0;
  #nanoseconds = 0;
  #half: string | undefined;
  #isUtc = false;
  #offset: number | undefined;
  #zoneName = '';

  constructor(layout: string, value: string) {
    this.#layout = layout;
    this.#value = value;
    this.#rest = value;
  }

  parse(): Instant | Error {
    const parts = layoutParts(this.#layout);
    for (const [index, { prefix, element }] of parts.entries()) {
      if (!this.#skip(prefix)) return this.#mismatch(prefix, this.#rest);
      if (element === undefined) break;
      const before = this.#rest;
      const next = parts[index + 1];
      const isFractionNext = next?.prefix === '' || isFraction(next?.element);
      try {
        this.#read(element, isFractionNext && isFraction(next?.element));
      } catch (error) {
        if (error instanceof Mismatch) return this.#mismatch(element, before);
        if (error instanceof OutOfRange) return this.#failure(`${error.message} out of range`);
        throw error;
      }
    }
    if (this.#rest !== '') return this.#failure(`extra text: ${quotedTime(this.#rest)}`);
    return this.#result();
  }

  #mismatch(element: string, rest: string): Error {
    return new Error(
      `parsing time ${quotedTime(this.#value)} as ${quotedTime(this.#layout)}: cannot parse ${quotedTime(rest)} as ${quotedTime(element)}`,
    );
  }

  #failure(message: string): Error {
    return new Error(`parsing time ${quotedTime(this.#value)}: ${message}`);
  }

  /** A run of spaces in the layout matches any number of spaces. */
  #skip(prefix: string): boolean {
    let wanted = prefix;
    while (wanted !== '') {
      if (wanted.startsWith(' ')) {
        if (this.#rest !== '' && !this.#rest.startsWith(' ')) return false;
        wanted = wanted.replace(/^ +/, '');
        this.#rest = this.#rest.replace(/^ +/, '');
      } else {
        if (this.#rest[0] !== wanted[0]) return false;
        wanted = wanted.slice(1);
        this.#rest = this.#rest.slice(1);
      }
    }
    return true;
  }

  #take(pattern: RegExp): string {
    const [text] = pattern.exec(this.#rest) ?? [];
    if (text === undefined) throw new Mismatch();
    this.#rest = this.#rest.slice(text.length);
    return text;
  }

  #name(names: readonly string[]): number {
    const rest = this.#rest.toLowerCase();
    const index = names.findIndex((name) => rest.startsWith(name.toLowerCase()));
    if (index < 0) throw new Mismatch();
    this.#rest = this.#rest.slice(names[index]?.length);
    return index;
  }

  #number(least: number, limit: number, name: string, isPadded: boolean): number {
    const value = Number(this.#take(isPadded ? /^\d\d/ : /^\d\d?/));
    if (value < least || value >= limit) throw new OutOfRange(name);
    return value;
  }

  #read(element: string, isFractionNext: boolean): void {
    if (isNumericZone(element)) this.#readOffset(element);
    else if (isFraction(element)) this.#readFraction(element);
    else this.#readField(element, isFractionNext);
  }

  #readField(element: string, isFractionNext: boolean): void {
    switch (element) {
      case '06': {
        const year = Number(this.#take(/^\d\d/));
        this.#year = year + (year >= 69 ? 1900 : 2000);
        return;
      }
      case '2006':
        this.#year = Number(this.#take(/^\d{4}/));
        return;
      case 'Jan':
        this.#month = this.#name(shortMonths) + 1;
        return;
      case 'January':
        this.#month = this.#name(months) + 1;
        return;
      case '1':
      case '01':
        this.#month = this.#number(1, 13, 'month', element === '01');
        return;
      case 'Mon':
        this.#name(shortWeekdays);
        return;
      case 'Monday':
        this.#name(weekdays);
        return;
      case '_2':
      case '2':
      case '02':
        if (element === '_2') this.#rest = this.#rest.replace(/^ /, '');
        this.#day = this.#number(0, 100, 'day', element === '02');
        return;
      case '__2':
      case '002':
        if (element === '__2') this.#rest = this.#rest.replace(/^ {1,2}/, '');
        this.#yearDay = Number(this.#take(element === '002' ? /^\d{3}/ : /^\d{1,3}/));
        return;
      case '15':
        this.#hour = this.#number(0, 24, 'hour', false);
        return;
      case '3':
      case '03':
        this.#hour = this.#number(0, 13, 'hour', element === '03');
        return;
      case '4':
      case '04':
        this.#minute = this.#number(0, 60, 'minute', element === '04');
        return;
      case '5':
      case '05':
        this.#second = this.#number(0, 60, 'second', element === '05');
        // A fraction is read even where the layout has none.
        if (!isFractionNext && /^[.,]\d/.test(this.#rest))
          this.#nanoseconds = digitsOf(this.#take(/^[.,]\d+/));
        return;
      case 'PM':
      case 'pm':
        this.#half = this.#take(element === 'PM' ? /^[AP]M/ : /^[ap]m/).toUpperCase();
        return;
    }
    this.#readZoneName();
  }

  #readFraction(element: string): void {
    if (element[1] === '9') {
      if (/^[.,]\d/.test(this.#rest)) this.#nanoseconds = digitsOf(this.#take(/^[.,]\d+/));
      return;
    }
    this.#nanoseconds = digitsOf(this.#take(new RegExp(`^[.,]\\d{${String(element.length - 1)}}`)));
  }

  #readOffset(element: string): void {
    if (element.startsWith('Z') && this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      this.#isUtc = true;
      return;
    }
    const colon = element.includes(':') ? ':' : '';
    const pairs = element.replaceAll(/\D/g, '').length / 2;
    const text = this.#take(new RegExp(`^[-+]${Array(pairs).fill('\\d\\d').join(colon)}`));
    const [hours = 0, minutes = 0, seconds = 0] = (text.match(/\d\d/g) ?? []).map(Number);
    if (hours > 24) throw new OutOfRange('time zone offset hour');
    if (minutes > 60) throw new OutOfRange('time zone offset minute');
    if (seconds > 60) throw new OutOfRange('time zone offset second');
    this.#offset = (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
  }

  /** As parseTimeZone of package time, which knows the form of abbreviations, and not their offsets. */
  #readZoneName(): void {
    if (this.#rest.startsWith('UTC')) {
      this.#rest = this.#rest.slice(3);
      this.#isUtc = true;
      return;
    }
    const offset = /^[-+](\d+)/.exec(this.#rest.replace(/^GMT/, ''));
    const isOffset = offset !== null && Number(offset[1]) <= 23;
    if (this.#rest.length < 3) throw new Mismatch();
    if (/^(?:ChST|MeST)/.test(this.#rest)) this.#zoneName = this.#take(/^.{4}/);
    else if (this.#rest.startsWith('GMT')) this.#zoneName = this.#take(isOffset ? /^GMT[-+]\d+/ : /^GMT/);
    else if (/^[-+]/.test(this.#rest)) {
      if (!isOffset) throw new Mismatch();
      this.#zoneName = this.#take(/^[-+]\d+/);
    } else
      this.#zoneName = this.#take(/^(?:[A-Z]{4}T(?![A-Z])|(?:[A-Z]{3}T|WITA)(?![A-Z])|[A-Z]{3}(?![A-Z]))/);
  }

  #result(): Instant | Error {
    if (this.#half === 'PM' && this.#hour < 12) this.#hour += 12;
    else if (this.#half === 'AM' && this.#hour === 12) this.#hour = 0;
    const problem = this.#yearDay >= 0 ? this.#readYearDay() : undefined;
    if (problem !== undefined) return this.#failure(problem);
    const month = this.#month < 0 ? 1 : this.#month;
    const day = this.#day < 0 ? 1 : this.#day;
    if (day < 1 || day > daysInMonth(this.#year, month)) return this.#failure('day out of range');
    const seconds = secondsOf({
      year: this.#year,
      month,
      day,
      hour: this.#hour,
      minute: this.#minute,
      second: this.#second,
    });
    if (this.#isUtc) return instant(seconds, this.#nanoseconds);
    if (this.#offset !== undefined) return this.#withOffset(seconds, this.#offset);
    return instant(seconds, this.#nanoseconds, this.#abbreviated());
  }

  #withOffset(seconds: bigint, offset: number): Instant {
    const isLocal = offset === 0 && (this.#zoneName === '' || this.#zoneName === 'UTC');
    const zone = isLocal ? utc : fixedZone(this.#zoneName, offset);
    return instant(seconds - BigInt(offset), this.#nanoseconds, zone);
  }

  /** Go makes a zone without an offset of an abbreviation; only those like `GMT+3` have one. */
  #abbreviated(): Zone {
    const name = this.#zoneName;
    if (name === '') return utc;
    return fixedZone(name, /^GMT./.test(name) ? Number(name.slice(3)) * 3600 : 0);
  }

  /** Sets month and day; returns the problem. */
  #readYearDay(): string | undefined {
    const last = daysInMonth(this.#year, 2) === 29 ? 366 : 365;
    if (this.#yearDay < 1 || this.#yearDay > last) return 'day-of-year out of range';
    let [month, day] = [1, this.#yearDay];
    for (; day > daysInMonth(this.#year, month); month++) day -= daysInMonth(this.#year, month);
    if (this.#month >= 0 && this.#month !== month) return 'day-of-year does not match month';
    this.#month = month;
    if (this.#day >= 0 && this.#day !== day) return 'day-of-year does not match day';
    this.#day = day;
    return undefined;
  }
}

/** Returns the nanoseconds of digits after a point. */
function digitsOf(text: string): number {
  return Number(text.slice(1, 10).padEnd(9, '0'));
}

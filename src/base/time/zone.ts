/** A `time.Location`. */
export interface Zone {
  readonly name: string;
  /**
   * Returns the seconds east of UTC at a time.
   *
   * @param seconds - since 1970
   */
  offsetAt(seconds: bigint): number;
  /** What `MST` in a layout prints; undefined if Node does not have the abbreviations of the zone. */
  readonly abbreviation: string | undefined;
}

export const utc: Zone = { name: 'UTC', offsetAt: () => 0, abbreviation: 'UTC' };

/** As time.FixedZone. */
export function fixedZone(name: string, offset: number): Zone {
  return { name, offsetAt: () => offset, abbreviation: name };
}

/** A time for which Node has no offset of a zone. */
export class ZoneRangeError extends Error {
  override readonly name = 'ZoneRangeError';
}

const zones = new Map<string, Zone | undefined>();

/** Returns a zone of the time zone database; undefined if it has none with this name. As time.LoadLocation. */
export function loadZone(name: string): Zone | undefined {
  // `Local` is UTC where the hub renders.
  if (name === '' || name === 'UTC' || name === 'Local' || name === 'Etc/UTC') return utc;
  if (!zones.has(name) && zones.size < 1000) zones.set(name, databaseZone(name));
  return zones.get(name);
}

/** Names without small letters. Node finds names in any case, and Go does not. */
const upperCase: ReadonlySet<string> = new Set(
  'CET EET EST GB GMT HST MET MST NZ PRC ROC ROK UCT US UTC WET GB-Eire NZ-CHAT W-SU'.split(' '),
);
const namePart =
  /^(?:[A-Z]{3}\d[A-Z]{3}|GMT[-+]?\d+|[A-Z][a-zA-Z]*[a-z](?:[-_](?:[A-Z][a-zA-Z]*|au|es|of))*)$/;

function databaseZone(name: string): Zone | undefined {
  if (!upperCase.has(name) && !name.split('/').every((part) => upperCase.has(part) || namePart.test(part)))
    return undefined;
  let clock: Intl.DateTimeFormat;
  try {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  const hours = /^Etc\/GMT([-+]\d+)$/.exec(name)?.[1];
  if (hours !== undefined) return offsetZone(-Number(hours));
  const canonical = clock.resolvedOptions().timeZone;
  if (canonical !== name && canonical.toLowerCase() === name.toLowerCase()) return undefined;
  return { name, abbreviation: undefined, offsetAt: (seconds) => offsetOf(clock, seconds) };
}

/** A zone such as `Etc/GMT+5`, which is west of UTC and has the abbreviation `-05`. */
function offsetZone(hours: number): Zone {
  const digits = String(Math.abs(hours)).padStart(2, '0');
  return fixedZone(hours === 0 ? 'GMT' : (hours < 0 ? '-' : '+') + digits, hours * 3600);
}

// Node writes earlier years by their era.
const [firstSecond, lastSecond] = [Date.UTC(1000, 0) / 1000, Date.UTC(9999, 0) / 1000];

function offsetOf(clock: Intl.DateTimeFormat, seconds: bigint): number {
  const at = Number(seconds);
  if (at < firstSecond || at > lastSecond) {
    const { timeZone } = clock.resolvedOptions();
    const years = at < firstSecond ? 'before the year 1000' : 'after the year 9998';
    throw new ZoneRangeError(`the offset of the time zone ${timeZone} is unknown ${years}`);
  }
  const part = Object.fromEntries(
    clock.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - at;
}

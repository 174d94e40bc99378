/** One setting: a flag of the command and a field of the configuration file. */
export interface Setting<V> {
  /** Its description in the help. */
  readonly describe: string;
  /** The type of the flag; a list is a flag that may be given several times. */
  readonly type: 'text' | 'number' | 'boolean' | 'list';
  readonly default: V;
  /** The description of the default, if its value is not clear. */
  readonly defaultDescription?: string;
  /** Returns the value, or a phrase with the requirement that it violates. */
  readonly read: (raw: unknown) => { readonly value: V } | { readonly mustBe: string };
}

type Described<V> = Pick<Setting<V>, 'describe' | 'default' | 'defaultDescription'>;

/** Settings by their names in the configuration file; flags are written with dashes. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type Values<S extends Settings> = { readonly [N in keyof S]: S[N]['default'] };

/** A value that is invalid, alone or in combination with others. */
export interface SettingFault {
  /** The field of the file, also if a flag was written. */
  readonly setting: string;
  /** A sentence without its subject, such as `must be a number`. */
  readonly message: string;
}

/** A fault with the location of the value. */
export interface LocatedSettingFault extends SettingFault {
  readonly from: 'flag' | 'file';
  readonly hint?: string;
}

export function text<V extends string | undefined>(
  described: Described<V>,
  check?: (text: string) => string | undefined,
): Setting<V | string> {
  return {
    ...described,
    type: 'text',
    read: (raw) => {
      if (typeof raw !== 'string' || raw === '') return { mustBe: 'a non-empty string' };
      const mustBe = check?.(raw);
      return mustBe === undefined ? { value: raw } : { mustBe };
    },
  };
}

/** Returns a setting with one of a few words. */
export function choice<const C extends string>(choices: readonly C[], described: Described<C>): Setting<C> {
  return {
    ...described,
    type: 'text',
    read: (raw) => {
      const value = choices.find((choice) => choice === raw);
      return value === undefined ? { mustBe: `one of ${choices.join(', ')}` } : { value };
    },
  };
}

/** Returns a setting with an integer in a range, both ends included. */
export function integer(min: number, max: number, described: Described<number>): Setting<number> {
  return {
    ...described,
    type: 'number',
    read: (raw) =>
      Number.isInteger(raw) && Number(raw) >= min && Number(raw) <= max
        ? { value: Number(raw) }
        : { mustBe: `a whole number from ${min} to ${max}` },
  };
}

export function flag(described: Described<boolean>): Setting<boolean> {
  return {
    ...described,
    type: 'boolean',
    read: (raw) => (typeof raw === 'boolean' ? { value: raw } : { mustBe: 'true or false' }),
  };
}

/** @param check - returns the requirement that one of the strings violates */
export function list(
  described: Described<readonly string[]>,
  check?: (text: string) => string | undefined,
): Setting<readonly string[]> {
  return {
    ...described,
    type: 'list',
    read: (raw) => {
      if (!Array.isArray(raw) || !raw.every((each) => typeof each === 'string'))
        return { mustBe: 'a list of strings' };
      const [mustBe] = raw.flatMap((each) => check?.(each) ?? []);
      return mustBe === undefined ? { value: raw } : { mustBe };
    },
  };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Returns a setting with a duration as people write it: `500ms`, `15s`, `10m`, `24h`. The value is in milliseconds. */
export function duration(
  min: string,
  max: string,
  described: Omit<Described<string>, 'defaultDescription'>,
): Setting<number> {
  const [from, to] = [milliseconds(min) ?? 0, milliseconds(max) ?? Infinity];
  return {
    describe: described.describe,
    default: milliseconds(described.default) ?? 0,
    defaultDescription: described.default,
    type: 'text',
    read: (raw) => {
      const value = typeof raw === 'string' ? milliseconds(raw) : undefined;
      return value === undefined || value < from || value > to
        ? { mustBe: `a duration from ${min} to ${max}, such as ${described.default}` }
        : { value };
    },
  };
}

function milliseconds(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text);
  const unit = units[match?.[2] ?? ''];
  return unit === undefined ? undefined : Number(match?.[1]) * unit;
}

/** Returns the flag of a setting: `--leader-election` for leaderElection. */
export function flagOf(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Returns the values of all settings: flags override the file, and the file overrides the defaults. If there are
 * problems, the affected values are the defaults and must not be used.
 */
export function readSettings<S extends Settings>(
  settings: S,
  flags: Readonly<Record<string, unknown>>,
  file: Readonly<Record<string, unknown>>,
): { readonly value: Values<S>; readonly problems: readonly LocatedSettingFault[] } {
  const problems: LocatedSettingFault[] = [];
  for (const setting of Object.keys(file).filter((name) => !Object.hasOwn(settings, name)))
    problems.push({
      setting,
      from: 'file',
      message: 'is unknown',
      hint: `the settings are ${Object.keys(settings).sort().join(', ')}`,
    });
  const values = Object.entries(settings).map(([setting, { default: byDefault, read }]) => {
    const from = flags[setting] === undefined ? 'file' : 'flag';
    const raw = from === 'flag' ? flags[setting] : file[setting];
    if (raw === undefined || raw === null) return [setting, byDefault];
    const value = read(raw);
    if ('value' in value) return [setting, value.value];
    problems.push({ setting, from, message: `must be ${value.mustBe}` });
    return [setting, byDefault];
  });
  return { value: Object.fromEntries(values) as Values<S>, problems };
}

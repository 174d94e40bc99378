import type { Random } from '../hub/differential/random.ts';
import { oddKeys, oddTexts, oddValue } from './odd-values.ts';

type Fields = Readonly<Record<string, unknown>>;
type Step = string | number;

/**
 * Changes one place of one of the values: a field is dropped, renamed or repeated, gets another type or a value from elsewhere.
 * The given values stay as they are.
 */
export function mutateValues(documents: readonly unknown[], random: Random): unknown[] {
  const all = [...documents];
  const index = random.between(0, all.length - 1);
  if (random.chance(0.05)) {
    const [taken] = all.splice(index, 1);
    return random.chance(0.5) ? all : [...all, taken, taken];
  }
  const places = placesIn(all[index]);
  const place = random.pick(places.length > 1 ? places.slice(1) : places);
  const donor = random.pick(all);
  all[index] = changedAt(all[index], place, (value) => changed(value, donor, random), random);
  return all;
}

/** The paths of all values inside of one, its own first. */
function placesIn(
  value: unknown,
  path: readonly Step[] = [],
  places: (readonly Step[])[] = [],
): (readonly Step[])[] {
  places.push(path);
  if (Array.isArray(value)) value.forEach((item, index) => placesIn(item, [...path, index], places));
  else if (isFields(value))
    for (const [key, field] of Object.entries(value)) placesIn(field, [...path, key], places);
  return places;
}

/** What takes the place of a value; no value drops its field or item, two put the second one behind it. */
type Change = (value: unknown) => readonly unknown[];

function changedAt(value: unknown, path: readonly Step[], change: Change, random: Random): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value)[0];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      if (index !== step) return [item];
      return rest.length === 0 ? change(item) : [changedAt(item, rest, change, random)];
    });
  }
  if (!isFields(value)) return value;
  const entries = Object.entries(value).flatMap(([key, field]): (readonly [string, unknown])[] => {
    if (key !== step) return [[key, field]];
    if (rest.length > 0) return [[key, changedAt(field, rest, change, random)]];
    if (random.chance(0.2)) return [[otherKey(key, random), field]];
    return change(field).map((each, index) => [index === 0 ? key : otherKey(key, random), each] as const);
  });
  // Defines __proto__ like any other key.
  return Object.fromEntries(entries);
}

function otherKey(key: string, random: Random): string {
  return random.pick<() => string>([
    () => random.pick(oddKeys),
    () => key.slice(0, -1),
    () => `${key}s`,
    () => key.toUpperCase(),
    () => ` ${key}`,
  ])();
}

function changed(value: unknown, donor: unknown, random: Random): readonly unknown[] {
  return random.pick<() => readonly unknown[]>([
    () => [],
    () => [value, value],
    () => [oddValue(random)],
    () => [oddValue(random)],
    () => [otherType(value, random)],
    () => [near(value, random)],
    () => [near(value, random)],
    () => [at(donor, random.pick(placesIn(donor)))],
  ])();
}

/** The same content in another type. */
function otherType(value: unknown, random: Random): unknown {
  if (Array.isArray(value))
    return random.chance(0.5) ? Object.fromEntries(value.entries()) : (value[0] as unknown);
  if (isFields(value)) return random.chance(0.5) ? Object.values(value) : Object.entries(value);
  if (typeof value === 'string') return random.pick<unknown>([[value], { [value]: value }, { value }]);
  return random.pick<unknown>([String(value), [value], { value }]);
}

/** A value that is nearly the same. */
function near(value: unknown, random: Random): unknown {
  if (typeof value === 'number')
    return value * random.pick([-1, 2, 1000, 0.5, 1e9]) + random.pick([-1, 0, 1]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    const cut = random.between(0, value.length);
    const added = random.pick([...oddTexts.filter((text) => text.length < 40), value]);
    return random.pick([
      `${value.slice(0, cut)}${added}${value.slice(cut)}`,
      value.slice(cut),
      value.toUpperCase(),
    ]);
  }
  if (Array.isArray(value))
    return random.chance(0.5) ? (value as unknown[]).toReversed() : [value, ...(value as unknown[])];
  if (isFields(value))
    return Object.fromEntries([...Object.entries(value), [random.pick(oddKeys), oddValue(random)]]);
  return oddValue(random);
}

function at(value: unknown, path: readonly Step[]): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Fields)[step], value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

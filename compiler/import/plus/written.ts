import { call, list, literal, member, name, type Expression, type Literal } from '../expression.ts';

/** `kplus.A.b`. */
export function kplus(...path: readonly string[]): Expression {
  return path.reduce<Expression>((object, part) => member(object, part), name('kplus'));
}

/** The value, unless the construct has it where nothing is said. */
export function unlessDefault<T extends Literal>(
  value: T | undefined,
  byDefault?: T,
): Expression | undefined {
  return value === undefined || value === byDefault ? undefined : literal(value);
}

/** A value of an enum: the class `ImagePullPolicy` calls `IfNotPresent` `IF_NOT_PRESENT`. Undefined where it is none. */
export function enumValue(
  enumName: string,
  values: Readonly<Record<string, string>>,
  value: string | undefined,
  byDefault?: string,
): Expression | 'unsayable' | undefined {
  if (value === undefined || value === byDefault) return undefined;
  const known = Object.hasOwn(values, value) ? values[value] : undefined;
  return known === undefined ? 'unsayable' : kplus(enumName, known);
}

/** Whether an object has other fields than these. */
export function hasOthers(object: object, ...known: readonly string[]): boolean {
  return Object.keys(object).some((key) => !known.includes(key));
}

export function isSayable<T>(value: T | 'unsayable'): value is T {
  return value !== 'unsayable';
}

/** `Duration.seconds(…)`, unless the construct has it where nothing is said. */
export function seconds(value: number | undefined, byDefault?: number): Expression | undefined {
  const written = unlessDefault(value, byDefault);
  return written && call(name('Duration'), 'seconds', written);
}

/** What is written for a field: nothing where the construct has it by itself, 'unsayable' where it cannot have it. */
export type Written = Expression | 'unsayable' | undefined;

/** A list in which each item is written; nothing for an empty one, which the construct leaves out. */
export function allOf<T>(
  items: readonly T[] | undefined,
  write: (item: T) => Expression | undefined,
): Written {
  if (items === undefined || items.length === 0) return undefined;
  const written = items.map(write);
  return written.every((item) => item !== undefined) ? list(written) : 'unsayable';
}

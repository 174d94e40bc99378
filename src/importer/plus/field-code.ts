import { call, list, literal, member, name, type Expression, type Literal } from '../code/expression.ts';

/** Returns `kplus.A.b`. */
export function kplus(...path: readonly string[]): Expression {
  return path.reduce<Expression>((object, part) => member(object, part), name('kplus'));
}

/** Returns the value, unless it is the default of the construct. */
export function unlessDefault<T extends Literal>(
  value: T | undefined,
  byDefault?: T,
): Expression | undefined {
  return value === undefined || value === byDefault ? undefined : literal(value);
}

/**
 * Returns an enum value: the class `ImagePullPolicy` has `IF_NOT_PRESENT` for `IfNotPresent`. Returns 'inexpressible' if the enum
 * does not have it.
 */
export function enumValue(
  enumName: string,
  values: Readonly<Record<string, string>>,
  value: string | undefined,
  byDefault?: string,
): Expression | 'inexpressible' | undefined {
  if (value === undefined || value === byDefault) return undefined;
  const enumMember = Object.hasOwn(values, value) ? values[value] : undefined;
  return enumMember === undefined ? 'inexpressible' : kplus(enumName, enumMember);
}

/** Whether an object has fields other than these. */
export function hasOthers(object: object, ...fieldNames: readonly string[]): boolean {
  return Object.keys(object).some((key) => !fieldNames.includes(key));
}

export function isExpressible<T>(value: T | 'inexpressible'): value is T {
  return value !== 'inexpressible';
}

/** Returns `Duration.seconds(…)`, unless it is the default of the construct. */
export function seconds(value: number | undefined, byDefault?: number): Expression | undefined {
  const code = unlessDefault(value, byDefault);
  return code && call(name('Duration'), 'seconds', code);
}

/** The code for a field: undefined if it is the default of the construct, 'inexpressible' if the construct cannot have it. */
export type FieldCode = Expression | 'inexpressible' | undefined;

/** Returns a list of all written items; undefined for an empty list, which the construct leaves out. */
export function allOf<T>(
  items: readonly T[] | undefined,
  write: (item: T) => Expression | undefined,
): FieldCode {
  if (items === undefined || items.length === 0) return undefined;
  const codes = items.map(write);
  return codes.every((item) => item !== undefined) ? list(codes) : 'inexpressible';
}

import {
  Complex,
  GoObject,
  goFunction,
  Integer,
  listItems,
  mapEntries,
  TypedList,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';

/** Whether a value is the zero of its type, or an empty collection. As sprig's empty. */
export function isEmpty(value: Value): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 0;
  if (typeof value === 'string') return value === '';
  if (value instanceof Integer) return value.value === 0n;
  if (value instanceof Complex) return value.real === 0 && value.imaginary === 0;
  if (value instanceof GoObject) return false;
  if (value instanceof TypedList) return value.size === 0;
  return (listItems(value)?.length ?? mapEntries(value)?.size ?? 1) === 0;
}

/** Functions that choose between values. */
export const defaultFunctions: Readonly<Record<string, GoFunction>> = {
  default: goFunction('any, ...any -> any', ([fallback, ...given]) =>
    isEmpty(given[0]) ? fallback : given[0],
  ),
  empty: goFunction('any -> bool', ([value]) => isEmpty(value)),
  coalesce: goFunction('...any -> any', (values) => values.find((value) => !isEmpty(value)) ?? null),
  all: goFunction('...any -> bool', (values) => !values.some(isEmpty)),
  any: goFunction('...any -> bool', (values) => values.some((value) => !isEmpty(value))),
  ternary: goFunction('any, any, bool -> any', ([yes, no, condition]) => (condition === true ? yes : no)),
};

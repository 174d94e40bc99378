import {
  FunctionError,
  goFunction,
  kindName,
  listItems,
  listType,
  TypedList,
  type Call,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';
import { deepEqual } from './deep-equal.ts';
import { isEmpty } from './defaults.ts';
import { checkLength, intArgument, nilDereference, toInt64 } from './conversion.ts';

/** Returns the items of a list, or the error of Go's functions for other values. */
function itemsOf(value: Value, problem: string): readonly Value[] {
  if (value === null || value === undefined) throw nilDereference();
  const items = listItems(value);
  if (items === undefined) throw new FunctionError(`${problem} ${kindName(value)}`);
  return items;
}

const noList = new TypedList(listType, [], true);

/** A function and the one whose name begins with `must`: here both fail in the same way. */
function both(name: string, defined: GoFunction): [string, GoFunction][] {
  const must = `must${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return [
    [name, defined],
    [must, defined],
  ];
}

const push = goFunction('any, any -> list', ([list, value = null]) => [
  ...itemsOf(list, 'Cannot push on type'),
  value,
]);

/** Functions that make and change lists. */
export const listFunctions: Readonly<Record<string, GoFunction>> = {
  list: goFunction('...any -> list', (values) =>
    values.length === 0 ? new TypedList(listType, [], false) : [...values],
  ),
  tuple: goFunction('...any -> list', (values) => [...values]),
  concat: goFunction('...any -> any', (lists) => concatenated(lists)),
  ...Object.fromEntries([
    ...both('push', push),
    ...both('append', push),
    ...both(
      'prepend',
      goFunction('any, any -> list', ([list, value = null]) => [
        value,
        ...itemsOf(list, 'Cannot prepend on type'),
      ]),
    ),
    ...both(
      'first',
      goFunction('any -> any', ([list]) => itemsOf(list, 'Cannot find first on type')[0] ?? null),
    ),
    ...both(
      'last',
      goFunction('any -> any', ([list]) => itemsOf(list, 'Cannot find last on type').at(-1) ?? null),
    ),
    ...both(
      'rest',
      goFunction('any -> list', ([list]) =>
        notEmpty(itemsOf(list, 'Cannot find rest on type'), (items) => items.slice(1)),
      ),
    ),
    ...both(
      'initial',
      goFunction('any -> list', ([list]) =>
        notEmpty(itemsOf(list, 'Cannot find initial on type'), (items) => items.slice(0, -1)),
      ),
    ),
    ...both(
      'reverse',
      goFunction('any -> list', ([list]) => itemsOf(list, 'Cannot find reverse on type').toReversed()),
    ),
    ...both(
      'compact',
      goFunction('any -> list', ([list]) =>
        itemsOf(list, 'Cannot compact on type').filter((item) => !isEmpty(item)),
      ),
    ),
    ...both(
      'uniq',
      goFunction('any -> list', ([list], call) => {
        const items = itemsOf(list, 'Cannot find uniq on type');
        const seen = new ValueSet();
        return items.filter((item) => seen.add(item, call));
      }),
    ),
    ...both(
      'without',
      goFunction('any, ...any -> list', ([list, ...omitted], call) => {
        const items = itemsOf(list, 'Cannot find without on type');
        const set = new ValueSet();
        for (const each of omitted) set.add(each, call);
        return items.filter((item) => !set.has(item, call));
      }),
    ),
    ...both(
      'has',
      goFunction('any, any -> bool', ([needle, list]) =>
        list === null || list === undefined
          ? false
          : itemsOf(list, 'Cannot find has on type').some((item) => deepEqual(needle, item)),
      ),
    ),
    ...both(
      'slice',
      goFunction('any, ...any -> any', ([list, ...bounds]) => part(list, bounds)),
    ),
    ...both(
      'chunk',
      goFunction('int, any -> [][]interface {}', ([size, list]) => chunks(intArgument(size), list)),
    ),
  ]),
};

function notEmpty(items: readonly Value[], change: (items: readonly Value[]) => Value[]): Value {
  return items.length === 0 ? noList : change(items);
}

function concatenated(lists: readonly Value[]): Value {
  const items = lists.flatMap((list) => {
    if (list === null || list === undefined) throw nilDereference();
    const each = listItems(list);
    if (each === undefined) throw new FunctionError(`Cannot concat type ${kindName(list)} as list`);
    return each;
  });
  checkLength(items.length);
  return items.length === 0 ? noList : items;
}

function part(list: Value, bounds: readonly Value[]): Value {
  const items = itemsOf(list, 'list should be type of slice or array but');
  if (items.length === 0) return null;
  const [start = 0, end = items.length] = bounds.map((bound) => Number(toInt64(bound)));
  if (start < 0 || end < start || end > items.length)
    throw new FunctionError('reflect.Value.Slice: slice index out of bounds');
  const taken = items.slice(start, end);
  return list instanceof TypedList ? new TypedList(list.type, taken) : taken;
}

function chunks(size: number, list: Value): Value {
  const items = itemsOf(list, 'Cannot chunk type');
  const count = Math.floor((items.length - 1) / size) + 1;
  const isSingle = size < 0 && items.length === 1 && size !== -1;
  if (!(count >= 0) || count === Infinity || (size < 0 && count > 0 && !isSingle))
    throw new FunctionError('runtime error: makeslice: len out of range');
  if (size < 0) return new TypedList('[][]interface {}', isSingle ? [items] : []);
  const parts = Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
  return new TypedList('[][]interface {}', parts);
}

/** Values of which no two are equal. Texts, which most lists have, are found without comparing all of them. */
class ValueSet {
  readonly #texts = new Set<string>();
  readonly #others: Value[] = [];

  /** Returns false for a value that is in the set. */
  add(value: Value, call: Call): boolean {
    if (this.has(value, call)) return false;
    if (typeof value === 'string') this.#texts.add(value);
    else this.#others.push(value);
    return true;
  }

  has(value: Value, call: Call): boolean {
    if (typeof value === 'string') return this.#texts.has(value);
    call.spend(this.#others.length);
    return this.#others.some((each) => deepEqual(value, each));
  }
}

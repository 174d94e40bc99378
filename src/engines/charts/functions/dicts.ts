import {
  checkSize,
  elementType,
  FunctionError,
  GoObject,
  goFunction,
  listItems,
  mapEntries,
  mapType,
  sortedKeys,
  TypedList,
  TypedMap,
  typeName,
  type Call,
  type GoFunction,
  type Value,
  type ValueMap,
} from '../../gotemplate/index.ts';
import { toText, textList } from './conversion.ts';
import { isEmpty } from './defaults.ts';
import { emptyVersion } from './versions.ts';

const entriesOf = (value: Value): ValueMap => mapEntries(value) ?? new Map<string, Value>();

/** Functions that make and change dictionaries. Those that return all keys or values sort by key, where Go has no order. */
export const dictFunctions: Readonly<Record<string, GoFunction>> = {
  dict: goFunction('...any -> dict', (values) => {
    const map: ValueMap = new Map();
    for (let at = 0; at < values.length; at += 2)
      map.set(toText(values[at]), at + 1 < values.length ? (values[at + 1] ?? null) : '');
    return map;
  }),
  get: goFunction('dict, string -> any', ([dict, key], { onRead }) => {
    const entries = entriesOf(dict);
    const value = entries.get(key as string);
    onRead?.(dict, [key as string], value);
    return entries.has(key as string) ? value : '';
  }),
  set: goFunction('dict, string, any -> dict', ([dict, key, value]) => {
    if (dict instanceof TypedMap && dict.isNil) throw new FunctionError('assignment to entry in nil map');
    entriesOf(dict).set(key as string, value ?? null);
    return dict;
  }),
  unset: goFunction('dict, string -> dict', ([dict, key]) => {
    entriesOf(dict).delete(key as string);
    return dict;
  }),
  hasKey: goFunction('dict, string -> bool', ([dict, key], { onRead }) => {
    const entries = entriesOf(dict);
    onRead?.(dict, [key as string], entries.get(key as string));
    return entries.has(key as string);
  }),
  pluck: goFunction('string, ...dict -> list', ([key, ...dicts]) =>
    dicts
      .map(entriesOf)
      .filter((dict) => dict.has(key as string))
      .map((dict) => dict.get(key as string)),
  ),
  keys: goFunction('...dict -> []string', (dicts) =>
    textList(dicts.flatMap((dict) => sortedKeys(entriesOf(dict)))),
  ),
  values: goFunction('dict -> list', ([dict]) => {
    const entries = entriesOf(dict);
    return sortedKeys(entries).map((key) => entries.get(key));
  }),
  pick: goFunction('dict, ...string -> dict', ([dict, ...keys]) =>
    filtered(dict, (key) => keys.includes(key)),
  ),
  omit: goFunction('dict, ...string -> dict', ([dict, ...keys]) =>
    filtered(dict, (key) => !keys.includes(key)),
  ),
  merge: goFunction('dict, ...dict -> any', (dicts) => merged(dicts, false)),
  mustMerge: goFunction('dict, ...dict -> any', (dicts) => merged(dicts, false)),
  mergeOverwrite: goFunction('dict, ...dict -> any', (dicts) => merged(dicts, true)),
  mustMergeOverwrite: goFunction('dict, ...dict -> any', (dicts) => merged(dicts, true)),
  deepCopy: goFunction('any -> any', ([value]) => copied(value)),
  mustDeepCopy: goFunction('any -> any', ([value]) => copied(value)),
  dig: goFunction('...any -> any', dig),
};

function filtered(dict: Value, isKept: (key: string) => boolean): ValueMap {
  return new Map([...entriesOf(dict)].filter(([key]) => isKept(key)));
}

/** Merges dictionaries into the first one, which changes. */
function merged([target, ...sources]: readonly Value[], overwrites: boolean): Value {
  const result: Value = target instanceof TypedMap && target.isNil ? new Map<string, Value>() : target;
  for (const source of sources) mergeInto(entriesOf(result), entriesOf(source), overwrites);
  return result;
}

/** As mergo: without overwriting, only values that are missing or empty are set. */
function mergeInto(target: ValueMap, source: ValueMap, overwrites: boolean): void {
  for (const [key, value] of source) {
    const existing = target.get(key);
    if (value === null || value === undefined) {
      if (overwrites) target.set(key, null);
      continue;
    }
    const [inner, outer] = [mapEntries(value), mapEntries(existing)];
    if (inner !== undefined && outer !== undefined) mergeInto(outer, inner, overwrites);
    if (listItems(value) !== undefined && overwrites) target.set(key, value);
    const isSet = existing !== undefined && !isEmpty(existing);
    if (isSet && (listItems(value) !== undefined || (inner !== undefined && outer !== undefined))) continue;
    if (overwrites || !isSet) target.set(key, value);
  }
}

function copied(value: Value): Value {
  if (value === null || value === undefined)
    throw new FunctionError('reflect: call of reflect.Value.Type on zero Value');
  checkSize(value);
  return deepCopy(value);
}

function deepCopy(value: Value): Value {
  // No function changes the items of a list.
  if (value instanceof TypedList && value.bytes !== undefined) return value;
  const items = listItems(value);
  if (items !== undefined)
    return value instanceof TypedList
      ? new TypedList(value.type, items.map(deepCopy), value.isNil)
      : items.map(deepCopy);
  const entries = mapEntries(value);
  if (value instanceof GoObject && value.type === '*semver.Version') return emptyVersion();
  if (entries === undefined) return value;
  const copy: ValueMap = new Map([...entries].map(([key, item]) => [key, deepCopy(item)]));
  return value instanceof TypedMap
    ? new TypedMap(value.type, copy, elementType(value), { isNil: value.isNil, methods: value.methods })
    : copy;
}

/** `dig "a" "b" default dict`: a value of nested dictionaries. */
function dig(values: readonly Value[], { onRead }: Call): Value {
  if (values.length < 3) throw new FunctionError('dig needs at least three arguments');
  const keys = values.slice(0, -2);
  let dict: Value = asserted(values.at(-1), mapType);
  for (const key of keys) asserted(key, 'string');
  for (const [at, key] of keys.entries()) {
    const entries = entriesOf(dict);
    if (!entries.has(key as string)) {
      onRead?.(dict, keys.slice(at) as readonly string[], undefined);
      return values.at(-2) ?? null;
    }
    const step = entries.get(key as string) ?? null;
    onRead?.(dict, [key as string], step);
    if (at === keys.length - 1) return step;
    dict = asserted(step, mapType);
  }
  return null;
}

/** As Go's type assertion, which panics. */
function asserted(value: Value, type: string): Value {
  const actual = value === null || value === undefined ? 'nil' : typeName(value);
  if (actual !== type)
    throw new FunctionError(`interface conversion: interface {} is ${actual}, not ${type}`);
  return value;
}

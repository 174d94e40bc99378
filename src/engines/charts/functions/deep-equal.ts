import {
  checkSize,
  Complex,
  GoObject,
  Integer,
  listItems,
  mapEntries,
  TypedList,
  TypedMap,
  typeName,
  type Value,
} from '../../gotemplate/index.ts';

/** Whether two values have the same types and contents. As reflect.DeepEqual. */
export function deepEqual(a: Value, b: Value): boolean {
  checkSize(a);
  return isSame(a, b);
}

function isSame(a: Value, b: Value): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  if (typeName(a) !== typeName(b)) return false;
  if (a instanceof Integer && b instanceof Integer) return a.value === b.value;
  if (a instanceof Complex && b instanceof Complex) return a.real === b.real && a.imaginary === b.imaginary;
  if (isNil(a) !== isNil(b)) return false;
  const [listA, listB] = [listItems(a), listItems(b)];
  if (listA !== undefined && listB !== undefined)
    return listA.length === listB.length && listA.every((item, at) => isSame(item, listB[at]));
  const [mapA, mapB] = [mapEntries(a), mapEntries(b)];
  if (mapA !== undefined && mapB !== undefined)
    return (
      mapA.size === mapB.size &&
      [...mapA].every(([key, item]) => mapB.has(key) && isSame(item, mapB.get(key)))
    );
  if (a instanceof GoObject && b instanceof GoObject && a.contentKey !== undefined)
    return a.contentKey === b.contentKey;
  return a === b;
}

function isNil(value: Value): boolean {
  return (value instanceof TypedList || value instanceof TypedMap) && value.isNil;
}

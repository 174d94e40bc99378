import { isJsonList, isJsonMap } from '../../encoding/json-map.ts';

/** The value without fields that are null. Items of lists stay. The value itself where it has no such field. */
export function withoutNullFields<T>(value: T): T {
  return change(value, (list) => list) as T;
}

/** The value without what no construct renders: fields that are null, and lists that hold a null. */
export function renderable<T>(value: T): T {
  return change(value, (list) => (list.includes(null) || list.includes(undefined) ? undefined : list)) as T;
}

/** @param ofList - what stays of a list whose items are changed already; undefined for nothing */
function change(value: unknown, ofList: (list: readonly unknown[]) => unknown): unknown {
  if (isJsonList(value)) {
    const items = value.map((item) => change(item, ofList));
    return ofList(items.some((item, index) => item !== value[index]) ? items : value);
  }
  if (!isJsonMap(value)) return value;
  let isChanged = false;
  const fields = Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
    const changed = field === null ? undefined : change(field, ofList);
    isChanged ||= changed !== field;
    return changed === undefined ? [] : [[key, changed]];
  });
  return isChanged ? Object.fromEntries(fields) : value;
}

import { isJsonList, isJsonMap } from '../base/json/json-map.ts';

/** Returns the value without null fields. List items stay. Returns the value itself if it has no such field. */
export function withoutNullFields<T>(value: T): T {
  return change(value, (list) => list) as T;
}

/** Returns the value without the parts that no construct renders: null fields, and lists that contain a null. */
export function renderable<T>(value: T): T {
  return change(value, (list) => (list.includes(null) || list.includes(undefined) ? undefined : list)) as T;
}

/** @param ofList - returns the replacement of a list whose items are already replaced; undefined to remove it */
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

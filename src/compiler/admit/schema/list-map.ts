import type { StructuralSchema } from '../../../../schemas/index.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { goJson } from '../../../base/json/go-json.ts';
import { fieldName, show, type Fault } from '../fault.ts';
import { fieldSchema } from './field-schema.ts';
import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import { subtreeTest } from './subtree.ts';

const hasKeyedLists = subtreeTest((schema) => isKeyed(schema));

function isKeyed(schema: StructuralSchema): boolean {
  const type = schema['x-kubernetes-list-type'];
  return type === 'map' || type === 'set';
}

/**
 * Returns the duplicate entries of lists: equal ones in a set, and entries with equal keys in a map. As apiextensions
 * listtype.ValidateListSetsAndMaps.
 */
export function duplicateEntries(value: unknown, schema: StructuralSchema, path: FieldPath = []): Fault[] {
  if (!hasKeyedLists(schema)) return [];
  if (isJsonList(value)) {
    const faults = isKeyed(schema) ? duplicates(value, schema['x-kubernetes-list-map-keys'], path) : [];
    const { items } = schema;
    if (items === undefined || !hasKeyedLists(items)) return faults;
    return [...faults, ...value.flatMap((item, index) => duplicateEntries(item, items, [...path, index]))];
  }
  if (isJsonMap(value)) {
    return Object.keys(value).flatMap((key) => {
      const field = fieldSchema(schema, key);
      return field === undefined ? [] : duplicateEntries(value[key], field, [...path, key]);
    });
  }
  return [];
}

function duplicates(list: readonly unknown[], keys: readonly string[] | undefined, path: FieldPath): Fault[] {
  const faults: Fault[] = [];
  const firstIndex = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    // a value in a map that is not an object already has a type fault
    if (keys !== undefined && item !== null && !isJsonMap(item)) return [];
    const identity = keys === undefined ? item : pick(item, keys);
    const text = goJson(identity);
    const first = firstIndex.get(text);
    if (first === undefined) {
      firstIndex.set(text, index);
      continue;
    }
    faults.push({
      code: 'FW2013',
      field: [...path, index],
      message: `${fieldName([...path.slice(-1), index])} repeats ${show(identity)}`,
      hint:
        keys === undefined ? 'remove one of them' : `no two entries may have the same ${keys.join(' and ')}`,
      related: { at: [...path, first], message: 'the first one' },
    });
  }
  return faults;
}

function pick(item: unknown, keys: readonly string[]): Record<string, unknown> {
  if (!isJsonMap(item)) return {};
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]));
}

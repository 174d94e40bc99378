import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { FieldPath } from '../model/field-path.ts';

/** One object of a document, and its path from the document's root. */
export interface LocatedObject {
  readonly object: KubernetesObject;
  readonly path: FieldPath;
}

/** A value in an invalid position. */
export interface ValueFault {
  readonly code: 'FW1009' | 'FW1010';
  readonly path: FieldPath;
  readonly message: string;
  readonly hint?: string;
}

export interface ObjectsAndFaults {
  readonly objects: LocatedObject[];
  readonly faults: ValueFault[];
}

/**
 * Returns the objects of a document: itself or, as kubectl, the items of any object that has a kind and `items`, and of lists in
 * it (apimachinery UnstructuredJSONScheme). A later phase validates them.
 */
export function findObjects(value: unknown): ObjectsAndFaults {
  const result: ObjectsAndFaults = { objects: [], faults: [] };
  collect(value, [], result);
  return result;
}

function collect(value: unknown, path: FieldPath, result: ObjectsAndFaults): void {
  if (!isJsonMap(value)) {
    const where = path.length === 0 ? 'the document' : 'this item of the list';
    result.faults.push({
      code: 'FW1010',
      path,
      message: `${where} is ${describe(value)}, not an object`,
      hint: 'an object begins with apiVersion and kind',
    });
  } else if (isList(value)) {
    collectItems(value, path, result);
  } else {
    result.objects.push({ object: value as unknown as KubernetesObject, path });
  }
}

function collectItems(list: List, path: FieldPath, result: ObjectsAndFaults): void {
  const { items } = list;
  if (items === null) return;
  if (!Array.isArray(items)) {
    result.faults.push({
      code: 'FW1010',
      path: [...path, 'items'],
      message: `"items" of the ${list.kind} is ${describe(items)}, not a list`,
    });
    return;
  }
  items.forEach((item: unknown, index) => collect(withKind(item, list), [...path, 'items', index], result));
}

interface List extends JsonMap {
  readonly kind: string;
  readonly items: unknown;
}

function isList(value: JsonMap): value is List {
  return typeof value['kind'] === 'string' && value['kind'] !== '' && 'items' in value;
}

/** as decodeToList: the items of a list of one kind, as the API returns them, may omit their kind and version */
function withKind(item: unknown, list: List): unknown {
  if (!isJsonMap(item) || isText(item['apiVersion']) || isText(item['kind'])) return item;
  const kind = list.kind.replace(/List$/, '');
  return kind === '' ? item : { ...item, apiVersion: list['apiVersion'], kind };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}

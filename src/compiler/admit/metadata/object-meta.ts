import type { ObjectMeta } from '../../../base/objects/object-meta.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectMetaFields, type GoType } from '../../../base/objects/object-meta-fields.ts';
import { normalizeTime, zeroTime } from '../../../base/time/rfc3339.ts';
import { fieldName, show, type Fault } from '../fault.ts';
import { formats } from '../schema/formats.ts';
import { isJsonList, isJsonMap, jsonType, ownField, type JsonMap } from '../../../base/json/json-map.ts';
import { closest } from '../../model/suggestion.ts';

/** Decoded metadata, including managedFields, which embedded objects may have. */
export type ReadMeta = ObjectMeta & { readonly managedFields?: readonly JsonMap[] };

/** `metadata` as Go's decoder reads it. */
export interface DecodedMeta {
  /** The metadata without empty values: nulls, empty strings, empty lists. The same object if nothing changes. */
  readonly value: ReadMeta;
  /** Fields of the wrong type, in Go's order; they are not in `value`. */
  readonly malformed: readonly Fault[];
  readonly unknown: readonly Fault[];
}

/**
 * Decodes `metadata`, as apiextensions objectmeta.GetObjectMetaWithOptions and SetObjectMeta do for an object and for the objects
 * embedded in it: through metav1.ObjectMeta and back.
 *
 * @param blamed the field that is reported for malformed values; by default the field of `metadata` that contains the value
 */
export function decodeObjectMeta(metadata: unknown, path: FieldPath, blamed?: FieldPath): DecodedMeta {
  if (metadata === undefined || metadata === null) return { value: {}, malformed: [], unknown: [] };
  if (!isJsonMap(metadata)) {
    const message = `metadata must be an object, but is ${describe(metadata)}`;
    return {
      value: {},
      malformed: [{ code: 'FW2004', field: blamed ?? path, at: path, message }],
      unknown: [],
    };
  }
  const malformed: Fault[] = [];
  const unknown: Fault[] = [];
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(metadata)) {
    const type = ownField(objectMetaFields, key);
    const fieldValue = metadata[key];
    // the common case, without creating a path
    if (type !== undefined && isPlain(fieldValue, type)) continue;
    const fieldPath = [...path, key];
    let value: unknown;
    if (type !== undefined) {
      const field = { path: fieldPath, name: `metadata.${key}`, blamed: blamed ?? fieldPath };
      value = decode(fieldValue, type, { ...field, malformed, unknown });
    } else if (fieldValue !== undefined) {
      unknown.push(unknownField(fieldPath, key, objectMetaFields));
    }
    if (value === fieldValue && value !== undefined) continue;
    changed ??= { ...metadata };
    if (value === undefined) delete changed[key];
    else changed[key] = value;
  }
  return { value: changed ?? metadata, malformed: malformed.sort(byPlace), unknown: unknown.sort(byPlace) };
}

/** Whether a value is a text or a map of texts as Go writes it. */
function isPlain(value: unknown, type: GoType): boolean {
  if (type.kind === 'string') return typeof value === 'string' && value !== '';
  if (type.kind !== 'map' || !isJsonMap(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => typeof value[key] === 'string');
}

interface Decoding {
  readonly path: FieldPath;
  /** The name of the value in messages: `metadata.labels["env"]`. */
  readonly name: string;
  readonly blamed: FieldPath;
  readonly malformed: Fault[];
  readonly unknown: Fault[];
}

/** Returns the value as Go writes it again; undefined if Go omits it (omitempty). */
function decode(value: unknown, type: GoType, decoding: Decoding): unknown {
  if (value === null || value === undefined) return undefined;
  switch (type.kind) {
    case 'any':
      return value;
    case 'string':
      return typeof value === 'string' ? value || undefined : refuse(value, 'a string', decoding);
    case 'boolean':
      return typeof value === 'boolean' ? value : refuse(value, 'a boolean', decoding);
    case 'integer':
    case 'integer pointer':
      if (!isInt64(value)) return refuse(value, 'an integer', decoding);
      return value === 0 && type.kind === 'integer' ? undefined : value;
    case 'time':
      return typeof value === 'string' ? decodeTime(value, decoding) : refuse(value, 'a time', decoding);
    case 'list':
      return isJsonList(value) ? decodeList(value, type.of, decoding) : refuse(value, 'a list', decoding);
    case 'map':
      return isJsonMap(value)
        ? decodeMap(value, type.of, decoding)
        : refuse(value, 'a map of strings', decoding);
    case 'struct':
      return isJsonMap(value) ? decodeStruct(value, type, decoding) : refuse(value, 'an object', decoding);
    default:
      return type satisfies never;
  }
}

function isInt64(value: unknown): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return typeof value === 'number' && Number.isInteger(value) && formats.int64(value);
}

function decodeTime(value: string, decoding: Decoding): string | undefined {
  const normal = normalizeTime(value);
  if (normal === undefined) return refuse(value, 'a time such as 2026-01-31T12:00:00Z', decoding);
  return normal === zeroTime ? undefined : normal;
}

function decodeList(list: readonly unknown[], of: GoType, decoding: Decoding): unknown {
  let changed: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    const value = decode(item, of, below(decoding, index, `[${index}]`)) ?? zero(of);
    if (value === item) continue;
    changed ??= [...list];
    changed[index] = value;
  }
  return list.length === 0 ? undefined : (changed ?? list);
}

function decodeMap(map: JsonMap, of: GoType, decoding: Decoding): unknown {
  let changed: Record<string, unknown> | undefined;
  const keys = Object.keys(map);
  for (const key of keys) {
    const item = map[key];
    // the common case, without creating a path for each of thousands of labels
    if (of.kind === 'string' && typeof item === 'string') continue;
    changed ??= { ...map };
    changed[key] = decode(item, of, below(decoding, key, `["${key}"]`)) ?? zero(of);
  }
  return keys.length === 0 ? undefined : (changed ?? map);
}

function decodeStruct(map: JsonMap, type: GoType & { kind: 'struct' }, decoding: Decoding): unknown {
  const struct: Record<string, unknown> = {};
  let isSame = true;
  for (const [key, item] of Object.entries(map)) {
    const field = below(decoding, key, `.${key}`);
    const fieldType = ownField(type.fields, key);
    if (fieldType === undefined) decoding.unknown.push(unknownField(field.path, key, type.fields));
    const value = fieldType && decode(item, fieldType, field);
    if (value !== undefined) struct[key] = value;
    isSame &&= value === item;
  }
  for (const key of type.fieldsThatStay) {
    if (struct[key] !== undefined) continue;
    struct[key] = '';
    isSame &&= map[key] === '';
  }
  return isSame ? map : struct;
}

// Go sets a null in a list or map, or a value that it cannot read, to the zero value of its type.
function zero(type: GoType): unknown {
  return type.kind === 'struct' ? Object.fromEntries([...type.fieldsThatStay].map((key) => [key, ''])) : '';
}

function below(decoding: Decoding, step: string | number, name: string): Decoding {
  return { ...decoding, path: [...decoding.path, step], name: decoding.name + name };
}

function refuse(value: unknown, wanted: string, { path, name, blamed, malformed }: Decoding): undefined {
  const scalar = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
  malformed.push({
    code: 'FW2004',
    field: blamed,
    at: path,
    message: `${name} must be ${wanted}, but is ${describe(value)}`,
    ...(scalar && wanted === 'a string' ? { hint: `put it in quotes: "${String(value)}"` } : {}),
  });
  return undefined;
}

function unknownField(path: FieldPath, key: string, fields: Readonly<Record<string, GoType>>): Fault {
  const similar = closest(key, Object.keys(fields));
  return {
    code: 'FW2005',
    field: path,
    message: `unknown field "${fieldName(path)}"`,
    hint:
      similar === undefined
        ? 'metadata allows only the fields of ObjectMeta; store other data in annotations'
        : `did you mean "${similar}"?`,
  };
}

/** Returns a value with its type, as in messages: `the number 1`. */
export function describe(value: unknown): string {
  return value === null ? 'null' : `the ${jsonType(value)} ${show(value)}`;
}

// as the API server, which reads metadata from JSON with sorted keys and reports the first fault
function byPlace(a: Fault, b: Fault): number {
  const left = fieldName(a.at ?? a.field);
  const right = fieldName(b.at ?? b.field);
  return left < right ? -1 : left > right ? 1 : 0;
}

import type { StructuralSchema } from '../../../schemas/index.ts';
import type { FieldPath } from '../model/field-path.ts';
import { show, type Fault } from './fault.ts';
import { fieldSchema } from './schema/field-schema.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { anyName, metadataFaults } from './metadata/metadata.ts';
import { dns1035LabelFault } from './metadata/names.ts';
import { decodeObjectMeta, describe } from './metadata/object-meta.ts';
import { subtreeTest } from './schema/subtree.ts';
import { systemFieldFaults } from './metadata/system-fields.ts';

/** A value whose embedded objects have been decoded. */
export interface Embedded {
  /** The value with the metadata of embedded objects as the hub writes it. The value itself if nothing changes. */
  readonly value: unknown;
  /** The faults that stop decoding, as apiextensions objectmeta.Coerce. */
  readonly malformed: readonly Fault[];
  /** Unknown fields of `metadata`. */
  readonly unknown: readonly Fault[];
  /** The faults of validation, as apiextensions objectmeta.Validate. */
  readonly invalid: readonly Fault[];
}

/** Decodes the Kubernetes objects that are embedded in a value: the manifests of a ManifestWork or an AddOnTemplate. */
export function admitEmbedded(value: unknown, schema: StructuralSchema): Embedded {
  const faults: EmbeddedFaults = { malformed: [], unknown: [], invalid: [] };
  return { value: hasEmbedded(schema) ? walk(value, schema, [], faults) : value, ...faults };
}

const hasEmbedded = subtreeTest((schema) => schema['x-kubernetes-embedded-resource'] === true);

interface EmbeddedFaults {
  readonly malformed: Fault[];
  readonly unknown: Fault[];
  readonly invalid: Fault[];
}

function walk(value: unknown, schema: StructuralSchema, path: FieldPath, faults: EmbeddedFaults): unknown {
  if (isJsonList(value)) {
    const { items } = schema;
    if (items === undefined || !hasEmbedded(items)) return value;
    const list = value.map((item, index) => walk(item, items, [...path, index], faults));
    return list.some((item, index) => item !== value[index]) ? list : value;
  }
  if (!isJsonMap(value)) return value;
  const map = schema['x-kubernetes-embedded-resource'] === true ? embeddedObject(value, path, faults) : value;
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(map)) {
    const field = fieldSchema(schema, key);
    if (field === undefined || !hasEmbedded(field)) continue;
    const replacement = walk(map[key], field, [...path, key], faults);
    if (replacement !== map[key]) (changed ??= { ...map })[key] = replacement;
  }
  return changed ?? map;
}

function embeddedObject(object: JsonMap, path: FieldPath, faults: EmbeddedFaults): JsonMap {
  checkApiVersion(object, [...path, 'apiVersion'], faults);
  checkKind(object, [...path, 'kind'], faults);
  if (!Object.hasOwn(object, 'metadata')) return object;
  const field = [...path, 'metadata'];
  const { value, malformed, unknown } = decodeObjectMeta(object['metadata'], field, field);
  faults.malformed.push(...malformed);
  faults.unknown.push(...unknown);
  faults.invalid.push(...metadataFaults(value, anyName, field));
  faults.invalid.push(...systemFieldFaults(value, field));
  return value === object['metadata'] ? object : { ...object, metadata: value };
}

function checkApiVersion(object: JsonMap, field: FieldPath, faults: EmbeddedFaults): void {
  const text = requiredText(object, 'apiVersion', field, faults);
  // as schema.ParseGroupVersion
  if (text === undefined || text.split('/').length <= 2) return;
  faults.invalid.push({
    code: 'FW2006',
    field,
    message: `apiVersion ${show(text)} must be a group, '/' and a version, or a version alone`,
  });
}

function checkKind(object: JsonMap, field: FieldPath, faults: EmbeddedFaults): void {
  const text = requiredText(object, 'kind', field, faults);
  const fault = text === undefined ? undefined : dns1035LabelFault(text.toLowerCase());
  if (fault !== undefined)
    faults.invalid.push({ code: 'FW2006', field, message: `kind ${show(text)} ${fault}` });
}

function requiredText(
  object: JsonMap,
  key: string,
  field: FieldPath,
  faults: EmbeddedFaults,
): string | undefined {
  if (!Object.hasOwn(object, key)) {
    const message = `${key} is missing: each manifest must be a whole Kubernetes object`;
    faults.invalid.push({ code: 'FW2006', field, message });
    return undefined;
  }
  const text = object[key];
  if (typeof text !== 'string') {
    faults.malformed.push({
      code: 'FW2006',
      field,
      message: `${key} must be a string, but is ${describe(text)}`,
    });
    return undefined;
  }
  if (text !== '') return text;
  faults.invalid.push({ code: 'FW2006', field, message: `${key} must not be empty` });
  return undefined;
}

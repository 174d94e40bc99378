import { findKindVersion, type SchemaType, type StructuralSchema } from '../../schemas/index.ts';
import { objectMetaFields, type GoType } from '../base/objects/object-meta-fields.ts';
import { isJsonMap, jsonType } from '../base/json/json-map.ts';
import type { Resource } from './resource.ts';

/** From the object to a field. */
type FieldPath = readonly (string | number)[];

/** A field of an answer that is not what its kind has there. */
export interface AnswerFault {
  readonly path: FieldPath;
  /** What the field must be, such as `an object`. */
  readonly expected: string;
}

const text = { type: 'string' } as const;

const scalars = {
  string: text,
  time: text,
  integer: { type: 'integer' },
  'integer pointer': { type: 'integer' },
  boolean: { type: 'boolean' },
  any: {},
} as const satisfies Readonly<Record<string, StructuralSchema>>;

/** An API server writes all fields of `metadata` itself, or has validated them. */
const metadataSchema: StructuralSchema = { type: 'object', properties: schemasOf(objectMetaFields) };

function schemasOf(fields: Readonly<Record<string, GoType>>): Readonly<Record<string, StructuralSchema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, schemaOfType(type)]));
}

function schemaOfType(type: GoType): StructuralSchema {
  if (type.kind === 'map') return { type: 'object', additionalProperties: schemaOfType(type.of) };
  if (type.kind === 'list') return { type: 'array', items: schemaOfType(type.of) };
  if (type.kind === 'struct') return { type: 'object', properties: schemasOf(type.fields) };
  return scalars[type.kind];
}

/** Of kinds that are not OCM's and not listed below. Their readers check the fields. */
const anyKind: StructuralSchema = { type: 'object', properties: { metadata: metadataSchema } };

const listOf = (items: StructuralSchema): StructuralSchema => ({ type: 'array', items });
const mapOf = (properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema => ({
  type: 'object',
  properties,
});
const conditions = listOf(mapOf({ type: text, status: text, reason: text, message: text }));
const textList = listOf(text);

/** The fields of Kubernetes' own kinds that commands and controllers read. */
const kubernetesKinds: Readonly<Record<string, StructuralSchema['properties']>> = {
  CertificateSigningRequest: {
    spec: mapOf({
      request: text,
      signerName: text,
      usages: textList,
      username: text,
      uid: text,
      groups: textList,
      extra: { type: 'object', additionalProperties: textList },
      expirationSeconds: { type: 'integer' },
    }),
    status: mapOf({ conditions, certificate: text }),
  },
  Lease: {
    spec: mapOf({
      holderIdentity: text,
      leaseDurationSeconds: { type: 'integer' },
      acquireTime: text,
      renewTime: text,
      leaseTransitions: { type: 'integer' },
    }),
  },
  Secret: { type: text, data: { type: 'object', additionalProperties: text } },
  RoleBinding: {
    roleRef: mapOf({ apiGroup: text, kind: text, name: text }),
    subjects: listOf(mapOf({ apiGroup: text, kind: text, name: text, namespace: text })),
  },
  Role: {
    rules: listOf(
      mapOf({ apiGroups: textList, resources: textList, resourceNames: textList, verbs: textList }),
    ),
  },
  Job: { status: mapOf({ conditions }) },
};

const schemas = new Map<string, StructuralSchema>();

function schemaOf({ apiVersion, kind }: Resource): StructuralSchema {
  const key = `${apiVersion} ${kind}`;
  const known = schemas.get(key);
  if (known !== undefined) return known;
  const own = findKindVersion(apiVersion, kind)?.version.schema;
  const properties = own?.properties ?? kubernetesKinds[kind];
  const schema =
    properties === undefined
      ? anyKind
      : { ...own, type: 'object' as const, properties: { ...properties, metadata: metadataSchema } };
  schemas.set(key, schema);
  return schema;
}

/**
 * Compares the fields of an object of a hub with the types of its kind, so that all that reads it can rely on them. Any field can be
 * missing: the object may be older than the field. Limits and patterns are those of the API server. A field that is null counts as missing, as Go decodes it.
 *
 * @returns the object without such fields, or the first fault
 */
export function answeredObject<T extends object>(
  object: T,
  resource: Resource,
): { readonly object: T } | { readonly fault: AnswerFault } {
  const result = checked(object, schemaOf(resource), []);
  return 'fault' in result ? result : { object: result.value as T };
}

type Checked = { readonly value: unknown } | { readonly fault: AnswerFault };

function checked(value: unknown, schema: StructuralSchema, path: FieldPath): Checked {
  if (schema['x-kubernetes-int-or-string'] === true) return { value };
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return { fault: { path, expected: wordsFor(schema) } };
  if (Array.isArray(value)) return checkedList(value, schema, path);
  return isJsonMap(value) ? checkedMap(value, schema, path) : { value };
}

function checkedList(list: readonly unknown[], { items }: StructuralSchema, path: FieldPath): Checked {
  if (items === undefined) return { value: list };
  let changed: unknown[] | undefined;
  for (const [index, entry] of list.entries()) {
    const result = checked(entry, items, [...path, index]);
    if ('fault' in result) return result;
    if (result.value === entry) continue;
    changed ??= [...list];
    changed[index] = result.value;
  }
  return { value: changed ?? list };
}

function checkedMap(
  map: Readonly<Record<string, unknown>>,
  schema: StructuralSchema,
  path: FieldPath,
): Checked {
  const { additionalProperties } = schema;
  const { properties = {} } = schema['x-kubernetes-embedded-resource'] === true ? anyKind : schema;
  let changed: Record<string, unknown> | undefined;
  for (const [name, part] of Object.entries(map)) {
    const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const inner = Object.hasOwn(properties, name) ? properties[name] : values;
    if (inner === undefined) continue;
    if (part === null && inner.nullable !== true) {
      changed ??= { ...map };
      delete changed[name];
      continue;
    }
    if (part === null) continue;
    const result = checked(part, inner, [...path, name]);
    if ('fault' in result) return result;
    if (result.value === part) continue;
    changed ??= { ...map };
    changed[name] = result.value;
  }
  return { value: changed ?? map };
}

function typesOf({ type }: StructuralSchema): readonly (SchemaType | 'null')[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

function isOfType(value: unknown, type: SchemaType | 'null'): boolean {
  const own = jsonType(value);
  if (type === 'array') return own === 'list';
  if (type === 'integer') return own === 'number' && (typeof value === 'bigint' || Number.isInteger(value));
  return own === type;
}

function wordsFor(schema: StructuralSchema | undefined): string {
  const [type] = schema === undefined ? [] : typesOf(schema);
  return type === undefined || type === 'null' ? 'a value' : words[type];
}

const words: Readonly<Record<SchemaType, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

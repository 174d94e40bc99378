/** The drafts of JSON Schema that Helm's validator reads. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

const drafts: Readonly<Record<string, Draft>> = {
  'json-schema.org/draft-04/schema': 4,
  'json-schema.org/draft-06/schema': 6,
  'json-schema.org/draft-07/schema': 7,
  'json-schema.org/draft/2019-09/schema': 2019,
  'json-schema.org/draft/2020-12/schema': 2020,
  'json-schema.org/schema': 2020,
};

/** Returns the draft that `$schema` names, with or without https; 2020 without one, undefined for another one. */
export function draftOf(url: unknown): Draft | undefined {
  if (typeof url !== 'string') return 2020;
  const [name = ''] = url.replace(/^https?:\/\//, '').split(/#$/);
  return drafts[name];
}

type Schema = Readonly<Record<string, unknown>>;

/** Keywords whose value is a schema, or a list of schemas. */
const ofOne = new Set(
  [
    'additionalItems additionalProperties contains else if items not propertyNames then',
    'allOf anyOf oneOf prefixItems unevaluatedItems unevaluatedProperties',
  ].flatMap((names) => names.split(' ')),
);

/** Keywords whose value has schemas by name. */
const ofMany = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** What counts beside `$ref` up to draft 7. */
const definitions = new Set(['$ref', '$defs', 'definitions']);

/** The draft in which a keyword is new. */
const since: ReadonlyMap<string, Draft> = new Map<string, Draft>([
  ['const', 6],
  ['contains', 6],
  ['propertyNames', 6],
  ['$id', 6],
  ['if', 7],
  ['then', 7],
  ['else', 7],
]);

/**
 * Returns a schema for a validator of draft 7 or of a later one: keywords that are new in a later draft have no meaning in the earlier
 * one, and draft 4 writes exclusive bounds and ids in another way.
 *
 * @throws TypeError for a number as exclusive bound in draft 4
 */
export function modernSchema(schema: unknown, draft: Draft): unknown {
  if (Array.isArray(schema)) return schema.map((each) => modernSchema(each, draft));
  if (typeof schema !== 'object' || schema === null) return schema;
  const isReference = draft <= 7 && typeof (schema as Schema)['$ref'] === 'string';
  const entries = Object.entries(schema as Schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === '$schema' || (isReference && !definitions.has(keyword))) return [];
    if (keyword === 'id') return draft === 4 ? [['$id', value]] : [];
    if ((since.get(keyword) ?? 4) > draft) return [];
    if (ofOne.has(keyword)) return [[keyword, modernSchema(value, draft)]];
    return [[keyword, ofMany.has(keyword) ? byName(value, draft) : value]];
  });
  const modern = Object.fromEntries(entries);
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const isExclusive = modern[exclusive];
    if (draft > 4 || isExclusive === undefined) continue;
    if (typeof isExclusive !== 'boolean')
      throw new TypeError(`${exclusive} is a boolean in draft 4: ${JSON.stringify(isExclusive)}`);
    delete modern[exclusive];
    if (!isExclusive || modern[bound] === undefined) continue;
    modern[exclusive] = modern[bound];
    delete modern[bound];
  }
  return modern;
}

function byName(value: unknown, draft: Draft): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    // A dependency can be a list of names.
    Object.entries(value).map(([name, each]) => [
      name,
      Array.isArray(each) ? each : modernSchema(each, draft),
    ]),
  );
}

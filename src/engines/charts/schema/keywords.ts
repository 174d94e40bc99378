import type { Draft } from './draft.ts';
import { typeOf } from './json-value.ts';
import { listed } from './mismatch.ts';
import type { SchemaObject } from './placed-schemas.ts';
import { jsonTypes } from './schema.ts';

/** What the value of a keyword is. */
type Kind =
  | 'boolean'
  | 'count'
  | 'dependencies'
  | 'factor'
  | 'list'
  | 'named schemas'
  | 'names'
  | 'names by name'
  | 'number'
  | 'schema'
  | 'schema or boolean'
  | 'schema or schemas'
  | 'schemas'
  | 'text'
  | 'types'
  | 'values';

interface Keyword {
  readonly kind: Kind;
  /** The draft in which the keyword is new. */
  readonly since: Draft;
  /** The last draft in which it counts. */
  readonly until?: Draft;
}

const kinds: readonly (readonly [names: string, kind: Kind, since?: Draft, until?: Draft])[] = [
  ['id', 'text', 4, 4],
  ['$ref $schema description format pattern title', 'text'],
  ['$id', 'text', 6],
  ['$comment contentEncoding contentMediaType', 'text', 7],
  ['$anchor $recursiveRef', 'text', 2019],
  ['$dynamicAnchor $dynamicRef', 'text', 2020],
  ['uniqueItems', 'boolean'],
  ['readOnly writeOnly', 'boolean', 7],
  ['$recursiveAnchor deprecated', 'boolean', 2019],
  ['maxItems maxLength maxProperties minItems minLength minProperties', 'count'],
  ['maxContains minContains', 'count', 2019],
  ['maximum minimum', 'number'],
  ['exclusiveMaximum exclusiveMinimum', 'boolean', 4, 4],
  ['exclusiveMaximum exclusiveMinimum', 'number', 6],
  ['multipleOf', 'factor'],
  ['enum', 'values'],
  ['examples', 'list', 6],
  ['type', 'types'],
  ['required', 'names'],
  ['dependentRequired', 'names by name', 2019],
  ['dependencies', 'dependencies'],
  ['additionalItems additionalProperties', 'schema or boolean', 4, 4],
  ['additionalItems', 'schema', 6, 2019],
  ['additionalProperties contains propertyNames', 'schema', 6],
  ['not', 'schema'],
  ['else if then', 'schema', 7],
  ['contentSchema unevaluatedItems unevaluatedProperties', 'schema', 2019],
  ['items', 'schema or schemas', 4, 2019],
  ['items', 'schema', 2020],
  ['allOf anyOf oneOf', 'schemas'],
  ['prefixItems', 'schemas', 2020],
  ['definitions patternProperties properties', 'named schemas'],
  ['$defs dependentSchemas', 'named schemas', 2019],
];

const keywords = new Map<string, Keyword[]>();
for (const [names, kind, since = 4, until = 2020] of kinds)
  for (const name of names.split(' ')) {
    const others = keywords.get(name) ?? [];
    others.push({ kind, since, until });
    keywords.set(name, others);
  }

/** Returns what the value of a keyword is in a draft; undefined for a word that has no meaning in it. */
export function kindOf(name: string, draft: Draft): Kind | undefined {
  return keywords.get(name)?.find(({ since, until = 2020 }) => since <= draft && draft <= until)?.kind;
}

/** Returns what is wrong with the value of a keyword, in the words of Helm's validator; undefined if nothing is. */
export function keywordProblem(kind: Kind, value: unknown, draft: Draft): string | undefined {
  return problems[kind](value, draft);
}

type Problem = (value: unknown, draft: Draft) => string | undefined;

const problems: Readonly<Record<Kind, Problem>> = {
  boolean: otherType('boolean'),
  count: countProblem,
  dependencies: otherType('object'),
  factor: (value) =>
    otherType('number')(value) ??
    (Number(value) > 0 ? undefined : `exclusiveMinimum: got ${String(value)}, want 0`),
  list: otherType('array'),
  'named schemas': otherType('object'),
  names: namesProblem,
  'names by name': otherType('object'),
  number: otherType('number'),
  schema: (value, draft) => schemaProblem(value, draft >= 6),
  'schema or boolean': (value) => schemaProblem(value, true),
  'schema or schemas': (value, draft) =>
    Array.isArray(value) ? schemasProblem(value, draft) : schemaProblem(value, draft >= 6),
  schemas: schemasProblem,
  text: otherType('string'),
  types: typesProblem,
  values: (value, draft) => otherType('array')(value) ?? (draft <= 6 ? emptyProblem(value) : undefined),
};

function otherType(type: string): (value: unknown) => string | undefined {
  return (value) => (typeOf(value) === type ? undefined : `got ${typeOf(value)}, want ${type}`);
}

function emptyProblem(value: unknown): string | undefined {
  return (value as readonly unknown[]).length === 0 ? 'minItems: got 0, want 1' : undefined;
}

function countProblem(value: unknown): string | undefined {
  if (!Number.isInteger(value)) return `got ${typeOf(value)}, want integer`;
  return Number(value) < 0 ? `minimum: got ${String(value)}, want 0` : undefined;
}

function typesProblem(value: unknown): string | undefined {
  if (!Array.isArray(value) && typeof value !== 'string') return `got ${typeOf(value)}, want string or array`;
  const types: readonly unknown[] = [value].flat();
  const isKnown = types.every((type) => (jsonTypes as readonly unknown[]).includes(type));
  return isKnown ? emptyProblem(types) : `value must be one of ${listed(jsonTypes)}`;
}

function namesProblem(value: unknown, draft: Draft): string | undefined {
  if (!Array.isArray(value)) return otherType('array')(value);
  if (!value.every((name) => typeof name === 'string')) return 'an item is not a string';
  if (new Set(value).size < value.length) return 'items are equal';
  return draft === 4 ? emptyProblem(value) : undefined;
}

function schemaProblem(value: unknown, isBooleanAllowed: boolean): string | undefined {
  if (isRecord(value) || (isBooleanAllowed && typeof value === 'boolean')) return undefined;
  return `got ${typeOf(value)}, want ${isBooleanAllowed ? 'boolean or object' : 'object'}`;
}

function schemasProblem(value: unknown, draft: Draft): string | undefined {
  if (!Array.isArray(value)) return otherType('array')(value);
  return (
    emptyProblem(value) ??
    value.map((each) => schemaProblem(each, draft >= 6)).find((each) => each !== undefined)
  );
}

/** Whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema inside of the value of a keyword. */
interface InnerSchema {
  /** Its name or position; undefined if it is the value. */
  readonly key: string | undefined;
  readonly schema: unknown;
}

/** Returns the schemas in the value of a keyword. */
export function innerSchemas(kind: Kind, value: unknown): InnerSchema[] {
  if (kind === 'named schemas' || kind === 'dependencies')
    return Object.entries(value as SchemaObject)
      .filter(([, schema]) => kind === 'named schemas' || !Array.isArray(schema))
      .map(([key, schema]) => ({ key, schema }));
  if (!kind.startsWith('schema')) return [];
  if (!Array.isArray(value)) return [{ key: undefined, schema: value }];
  return value.map((schema: unknown, index) => ({ key: String(index), schema }));
}

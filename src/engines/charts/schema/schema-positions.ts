import type { Draft } from './draft.ts';
import type { SchemaJson, SchemaObject } from './schema-json.ts';

/** What the value of a keyword has schemas in. */
type Holder = 'value' | 'list' | 'object';

const keywords: readonly (readonly [names: string, holder: Holder, since?: Draft])[] = [
  ['not items additionalItems additionalProperties', 'value'],
  ['allOf anyOf oneOf items', 'list'],
  ['definitions properties patternProperties dependencies', 'object'],
  ['contains propertyNames', 'value', 6],
  ['if then else', 'value', 7],
  ['unevaluatedItems unevaluatedProperties contentSchema', 'value', 2019],
  ['$defs dependentSchemas', 'object', 2019],
  ['prefixItems', 'list', 2020],
];

const positions = keywords.flatMap(([names, holder, since = 4]) =>
  names.split(' ').map((name) => ({ name, holder, since })),
);

/** A value inside of a schema that is one, too, unless the schema is not valid. */
export interface InnerSchema {
  /** From the schema around it. */
  readonly steps: readonly string[];
  readonly json: SchemaJson;
}

/** Returns the values that are schemas by their position. As the subschemas of a draft of the library. */
export function innerSchemas(schema: SchemaObject, draft: Draft): InnerSchema[] {
  const inner: InnerSchema[] = [];
  for (const { name, holder, since } of positions) {
    const value = since <= draft ? schema.get(name) : undefined;
    if (value === undefined) continue;
    if (holder === 'value') inner.push({ steps: [name], json: value });
    else if (holder === 'list' && Array.isArray(value))
      for (const [index, json] of (value as readonly SchemaJson[]).entries())
        inner.push({ steps: [name, String(index)], json });
    else if (holder === 'object' && value instanceof Map)
      for (const [key, json] of value) inner.push({ steps: [name, key], json });
  }
  return inner;
}

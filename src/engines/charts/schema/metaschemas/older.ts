import {
  count,
  each,
  either,
  flag,
  numeric,
  objectOf,
  reference,
  schemaArray,
  sizeRules,
  text,
  textArray,
  textOf,
  typeNames,
  typeRule,
  type Plain,
} from './rules.ts';

const schema = reference('#');
const schemas = reference('#/definitions/schemaArray');
const names = reference('#/definitions/stringArray');
const sizes = 'maxLength maxItems maxProperties';

/** What a schema of the drafts 4, 6 and 7 can have, in the order of the library's metaschemas. */
const common: Plain = {
  $schema: textOf('uri'),
  ...each('title description format', text),
  default: {},
  ...each('maximum minimum', numeric),
  pattern: textOf('regex'),
  items: either(schema, schemas),
  uniqueItems: flag,
  required: names,
  ...each('definitions properties patternProperties', objectOf(schema)),
  dependencies: objectOf(either(schema, names)),
  enum: { type: 'array', minItems: 1, uniqueItems: true },
  type: typeRule('definitions'),
  ...each('allOf anyOf oneOf', schemas),
  not: schema,
};

const boundsOfDraft4 = either(flag, schema);

/** The metaschema of draft 4. */
export const draft4: Plain = {
  $schema: 'http://json-schema.org/draft-04/schema#',
  definitions: {
    schemaArray: schemaArray(schema),
    positiveInteger: count,
    positiveIntegerDefault0: { allOf: [reference('#/definitions/positiveInteger'), {}] },
    simpleTypes: typeNames,
    stringArray: { ...textArray, minItems: 1 },
  },
  type: 'object',
  properties: {
    ...common,
    id: textOf('uriref'),
    $ref: text,
    multipleOf: { type: 'number', minimum: 0, exclusiveMinimum: true },
    ...each('exclusiveMaximum exclusiveMinimum', flag),
    ...each('additionalItems additionalProperties', boundsOfDraft4),
    ...sizeRules('definitions', 'positiveInteger', sizes),
  },
  dependencies: { exclusiveMaximum: ['maximum'], exclusiveMinimum: ['minimum'] },
};

function since6(name: string, more: Plain): Plain {
  return {
    $schema: `http://json-schema.org/${name}/schema#`,
    $id: `http://json-schema.org/${name}/schema#`,
    definitions: {
      schemaArray: schemaArray(schema),
      nonNegativeInteger: count,
      nonNegativeIntegerDefault0: { allOf: [reference('#/definitions/nonNegativeInteger'), {}] },
      simpleTypes: typeNames,
      stringArray: textArray,
    },
    type: ['object', 'boolean'],
    properties: {
      ...common,
      ...each('$id $ref', textOf('uri-reference')),
      multipleOf: { type: 'number', exclusiveMinimum: 0 },
      ...each('exclusiveMaximum exclusiveMinimum', numeric),
      ...each('additionalItems additionalProperties contains propertyNames', schema),
      ...sizeRules('definitions', 'nonNegativeInteger', sizes),
      const: {},
      ...more,
    },
  };
}

/** The metaschema of draft 6. */
export const draft6 = since6('draft-06', {});

/** The metaschema of draft 7. */
export const draft7 = since6('draft-07', {
  ...each('$comment contentMediaType contentEncoding', text),
  ...each('default const', true),
  ...each('readOnly writeOnly', flag),
  examples: { type: 'array', items: true },
  patternProperties: { ...objectOf(schema), propertyNames: { format: 'regex' } },
  enum: { type: 'array', items: true, minItems: 1, uniqueItems: true },
  ...each('if then else', schema),
});

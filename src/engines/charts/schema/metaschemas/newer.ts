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

const schemas = reference('#/$defs/schemaArray');
const names = reference('#/$defs/stringArray');
const regexNames = { propertyNames: { format: 'regex' } };

/** The rules of `$anchor`, and the definitions that the core of a draft has for texts. */
interface CoreTexts {
  readonly anchor: Plain;
  readonly address: Plain;
  readonly addressReference: Plain;
  readonly definitions?: Plain;
}

/** What distinguishes the drafts since 2019 from each other. */
interface NewerDraft {
  readonly address: string;
  /** Marks a metaschema as one that another can extend. */
  readonly mark: Plain;
  /** The schema that extends this one, or this one. */
  readonly schema: Plain;
  readonly core: CoreTexts;
  readonly coreProperties: Plain;
  readonly applicators: Plain;
  /** The keywords of `unevaluatedItems` and `unevaluatedProperties` are in this vocabulary. */
  readonly unevaluated: string;
  readonly formats: readonly string[];
  /** The vocabularies that the metaschema refers to, and whether they are required. */
  readonly vocabularies: readonly (readonly [name: string, isRequired: boolean])[];
  readonly properties: Plain;
}

function coreOf({ core, coreProperties, schema }: NewerDraft): Plain {
  return {
    $id: { ...core.addressReference, pattern: '^[^#]*#?$' },
    $schema: core.address,
    $ref: core.addressReference,
    $anchor: core.anchor,
    ...coreProperties,
    $vocabulary: { ...objectOf(flag), propertyNames: core.address },
    $comment: text,
    $defs: objectOf(schema),
  };
}

function applicatorsOf({ schema, applicators }: NewerDraft): Plain {
  return {
    ...each('contains additionalProperties propertyNames if then else not', schema),
    ...each('properties dependentSchemas', objectOf(schema)),
    patternProperties: { ...objectOf(schema), ...regexNames },
    ...each('allOf anyOf oneOf', schemas),
    ...applicators,
  };
}

const validation: Plain = {
  type: typeRule('$defs'),
  const: true,
  enum: { type: 'array', items: true },
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  ...each('maximum exclusiveMaximum minimum exclusiveMinimum', numeric),
  pattern: textOf('regex'),
  uniqueItems: flag,
  required: names,
  dependentRequired: objectOf(names),
  ...sizeRules('$defs', 'nonNegativeInteger', 'maxLength maxItems maxContains minContains maxProperties'),
};

const validationDefinitions: Plain = {
  nonNegativeInteger: count,
  nonNegativeIntegerDefault0: reference('#/$defs/nonNegativeInteger'),
  simpleTypes: typeNames,
  stringArray: textArray,
};

const annotations: Plain = {
  ...each('title description', text),
  default: true,
  ...each('deprecated readOnly writeOnly', flag),
  examples: { type: 'array', items: true },
};

/** Returns the metaschemas of a draft by their addresses. */
function metaschemasOf(draft: NewerDraft): readonly (readonly [address: string, schema: Plain])[] {
  const { address, mark, schema, unevaluated } = draft;
  const base = `${address}/meta`;
  const head = (own: string, vocabularies: readonly (readonly [string, boolean])[]): Plain => ({
    $schema: `${address}/schema`,
    $id: own,
    $vocabulary: Object.fromEntries(
      vocabularies.map(([name, isRequired]) => [`${address}/vocab/${name}`, isRequired]),
    ),
    ...mark,
    type: ['object', 'boolean'],
  });
  const part = (name: string, properties: Plain, definitions?: Plain): readonly [string, Plain] => [
    `${base}/${name}`,
    {
      ...head(`${base}/${name}`, [[name, true]]),
      properties,
      ...(definitions !== undefined && { $defs: definitions }),
    },
  ];
  const others = each('unevaluatedItems unevaluatedProperties', schema);
  const isInApplicator = unevaluated === 'applicator';
  return [
    [
      `${address}/schema`,
      {
        ...head(`${address}/schema`, draft.vocabularies),
        allOf: draft.vocabularies.map(([name]) => reference(`meta/${name}`)),
        properties: {
          definitions: objectOf(schema),
          dependencies: objectOf(either(schema, reference('meta/validation#/$defs/stringArray'))),
          ...draft.properties,
        },
      },
    ],
    part('core', coreOf(draft), draft.core.definitions),
    part(
      'applicator',
      { ...applicatorsOf(draft), ...(isInApplicator && others) },
      { schemaArray: schemaArray(schema) },
    ),
    ...(isInApplicator ? [] : [part(unevaluated, others)]),
    part('validation', validation, validationDefinitions),
    part('meta-data', annotations),
    ...draft.formats.map((name) => part(name, { format: text })),
    part('content', { ...each('contentMediaType contentEncoding', text), contentSchema: schema }),
  ];
}

const uri = textOf('uri');
const uriReference = textOf('uri-reference');
const recursive: Plain = { $recursiveRef: '#' };
const dynamic: Plain = { $dynamicRef: '#meta' };
const anchor2020 = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' };

const draft2019: NewerDraft = {
  address: 'https://json-schema.org/draft/2019-09',
  mark: { $recursiveAnchor: true },
  schema: recursive,
  core: {
    anchor: { type: 'string', pattern: '^[A-Za-z][-A-Za-z0-9.:_]*$' },
    address: uri,
    addressReference: uriReference,
  },
  coreProperties: { $recursiveRef: uriReference, $recursiveAnchor: flag },
  applicators: { additionalItems: recursive, items: either(recursive, schemas) },
  unevaluated: 'applicator',
  formats: ['format'],
  vocabularies: [
    ['core', true],
    ['applicator', true],
    ['validation', true],
    ['meta-data', true],
    ['format', false],
    ['content', true],
  ],
  properties: {},
};

const draft2020: NewerDraft = {
  address: 'https://json-schema.org/draft/2020-12',
  mark: { $dynamicAnchor: 'meta' },
  schema: dynamic,
  core: {
    anchor: reference('#/$defs/anchorString'),
    address: reference('#/$defs/uriString'),
    addressReference: reference('#/$defs/uriReferenceString'),
    definitions: { anchorString: anchor2020, uriString: uri, uriReferenceString: uriReference },
  },
  coreProperties: {
    $dynamicRef: reference('#/$defs/uriReferenceString'),
    $dynamicAnchor: reference('#/$defs/anchorString'),
  },
  applicators: { prefixItems: schemas, items: dynamic },
  unevaluated: 'unevaluated',
  formats: ['format-annotation', 'format-assertion'],
  vocabularies: [
    ['core', true],
    ['applicator', true],
    ['unevaluated', true],
    ['validation', true],
    ['meta-data', true],
    ['format-annotation', true],
    ['content', true],
  ],
  properties: {
    $recursiveAnchor: reference('meta/core#/$defs/anchorString'),
    $recursiveRef: reference('meta/core#/$defs/uriReferenceString'),
  },
};

/** The metaschemas of the drafts 2019-09 and 2020-12 by their addresses. */
export const newerMetaschemas = [...metaschemasOf(draft2019), ...metaschemasOf(draft2020)];

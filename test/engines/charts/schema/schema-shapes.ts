/** A `values.schema.json` as text, because numbers can be written in several ways, and values. */
export interface SchemaShape {
  readonly schema: string;
  readonly values: Readonly<Record<string, unknown>>;
}

type Values = Readonly<Record<string, unknown>>;

const four = 'http://json-schema.org/draft-04/schema#';
const six = 'http://json-schema.org/draft-06/schema#';
const seven = 'http://json-schema.org/draft-07/schema#';
const nineteen = 'https://json-schema.org/draft/2019-09/schema';
const twenty = 'https://json-schema.org/draft/2020-12/schema';
const meta = 'https://json-schema.org/draft/2020-12/meta';

const text = { type: 'string' };
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function shape(schema: unknown, values: Values = {}): SchemaShape {
  return { schema: typeof schema === 'string' ? schema : JSON.stringify(schema), values };
}

/** A schema for the property `a`. */
function of(schema: unknown, a: unknown, more: object = {}): SchemaShape {
  return shape({ ...more, properties: { a: schema } }, { a });
}

/** As `of`, for a schema with numbers that JavaScript would write in another way. */
function raw(schema: string, a: unknown): SchemaShape {
  return shape(`{"properties":{"a":${schema}}}`, { a });
}

const metaschemas: readonly SchemaShape[] = [
  of({ $ref: seven }, { type: 'object' }, { $schema: seven }),
  of({ $ref: seven }, { type: 'objec', properties: { a: { minLength: -1, pattern: '(' } } }),
  of({ $ref: `${seven}/definitions/nonNegativeInteger` }, -1),
  of({ $ref: 'https://json-schema.org/draft-07/schema' }, { items: [1] }),
  of({ $ref: twenty }, { type: 'x', properties: { a: { $id: '#x', pattern: '(' } } }),
  of({ $ref: nineteen }, { type: 'x', properties: { a: { $id: '#x', enum: 1 } } }),
  of({ $ref: 'https://json-schema.org/schema' }, { type: 1 }),
  of({ $ref: four }, { type: 1, exclusiveMinimum: true }),
  of({ $ref: six }, { type: 1, $ref: '::' }),
  of({ $ref: `${meta}/validation#/$defs/stringArray` }, ['a', 'a']),
  of({ $ref: 'urn:a:b' }, {}),
  of({ $ref: 'urn:a:b#/x' }, {}),
];

const dialects: readonly SchemaShape[] = [
  shape({ $schema: 'urn:a:b', required: ['a'] }),
  shape({ $schema: 'constructor' }),
  shape({ $schema: 'http://json-schema.org/draft-03/schema#' }),
  shape({ $schema: `${seven}/x` }),
  shape({ $schema: 'http://json-schema.org/schema#', required: ['a'] }),
  shape({ $schema: 'file:///values.schema.json' }),
  of({ exclusiveMinimum: 1 }, 1, { $schema: 'json-schema.org/draft-07/schema' }),
  shape({ $schema: `${meta}/validation`, required: ['a'], properties: { b: false } }, { b: 1 }),
  shape({ $schema: `${meta}/applicator`, required: ['a'], properties: { b: false } }, { b: 1 }),
  shape({ $schema: `${meta}/applicator`, properties: { b: { unevaluatedItems: false } } }, { b: [1] }),
  shape({ $schema: `${meta}/applicator`, properties: 5 }),
  shape({ $schema: `${meta}/validation`, properties: 5, required: 5 }),
  of({ format: 'email' }, 'b', { $schema: `${meta}/format-assertion` }),
  of({ format: 'email' }, 'b', { $schema: 'https://json-schema.org/draft/2019-09/meta/format' }),
  of({ $ref: 'http://x/a' }, [1, 2], {
    $defs: { a: { $id: 'http://x/a', $schema: seven, items: [text], additionalItems: false } },
  }),
  of({ $ref: 'http://x/a' }, 1, {
    $defs: { a: { id: 'http://x/a', $schema: four, minimum: 1, exclusiveMinimum: true } },
  }),
  of({ $ref: '#/$defs/a' }, 1, { $defs: { a: { $schema: four, minimum: 1, exclusiveMinimum: true } } }),
  shape({ $defs: { a: { $id: 'http://x/a', $schema: seven, $defs: { q: 5 }, definitions: { z: 5 } } } }),
  shape({ $schema: seven, definitions: { a: { $id: 'http://x/a', $schema: twenty, $defs: { q: 5 } } } }),
  of({ format: 'email' }, 'b', { $schema: nineteen }),
];

const references: readonly SchemaShape[] = [
  shape({ $id: 'http://x/r', $defs: { a: { $id: 'http://x/r' } } }),
  shape(
    {
      $id: 'http://x/root.json',
      properties: { a: { $ref: 'root.json#/$defs/b' }, c: { $ref: '#/$defs/b' } },
      $defs: { b: text },
    },
    { a: 1, c: 2 },
  ),
  shape(
    {
      $id: 'http://x/dir/',
      $defs: { b: { $id: 'b.json', type: 'string', $defs: { z: { type: 'null' } } } },
      properties: { a: { $ref: 'b.json' }, c: { $ref: '/dir/b.json#/$defs/z' } },
    },
    { a: 1, c: 2 },
  ),
  shape(
    {
      $id: 'urn:x:root',
      $defs: { b: { $anchor: 'bb', type: 'string' } },
      properties: {
        a: { $ref: '#bb' },
        c: { $ref: 'urn:x:root#/$defs/b' },
        d: { $ref: 'file:///values.schema.json#bb' },
      },
    },
    { a: 1, c: 2, d: 3 },
  ),
  shape({ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }),
  shape({ $defs: { a: { $anchor: 'x', $dynamicAnchor: 'x' } } }),
  of({ $ref: '#foo' }, 1, { $schema: seven, definitions: { b: { $id: '#foo', type: 'string' } } }),
  of({ $ref: '#foo' }, 1, { $schema: four, definitions: { b: { id: '#foo', type: 'string' } } }),
  of({ $ref: '#foo' }, 1, { $schema: four, definitions: { b: { $id: '#foo', type: 'string' } } }),
  of({ $ref: '#f%20o' }, 1, { $schema: six, definitions: { b: { $id: '#f%20o', type: 'string' } } }),
  ...['#foo', 'http://[bad', 'https://example.com/%zz', ':x', 'a b'].map(($id) => shape({ $id })),
  shape({ $ref: '#/$defs/a~2b', $defs: { 'a~2b': {} } }),
  shape({ $ref: '#/$defs/a~1b', $defs: { 'a/b': text } }),
  shape({ $ref: '#/$defs/a%20b%25', $defs: { 'a b%': text } }),
  shape({ $ref: '#/allOf/01', allOf: [{}, text] }),
  shape({ $ref: '#/enum/length', enum: [1] }),
  shape({ $ref: '#/$defs/a/', $defs: { a: {} } }),
  ...[{ ...text, properties: 5 }, text, 5, true].map((y) => shape({ $ref: '#/x/y', x: { y } })),
  shape({ $schema: four, $ref: '#/x/y', x: { y: true } }),
  shape(
    {
      $schema: four,
      properties: { a: { additionalProperties: false }, b: { $ref: '#/properties/a/additionalProperties' } },
    },
    { b: 1 },
  ),
  shape({ $defs: { a: { $ref: '#/nope' } } }),
  shape({ $schema: seven, definitions: { a: {} }, $ref: '#/definitions/a', contains: { $ref: '#/nope' } }),
  shape({ $schema: seven, definitions: { a: {} }, $ref: '#/definitions/a', allOf: [{ $ref: '#/nope' }] }),
  shape({ [['th', 'en'].join('')]: { $ref: '#/nope' }, not: false }),
  shape({ if: true, else: { $ref: '#/nope' } }),
  shape({
    $defs: { x: { $id: 'http://x/y', properties: { q: { $ref: '#/nope' } }, $defs: { y: {} } } },
    $ref: '#/$defs/x/$defs/y',
  }),
  shape({ $defs: { x: { $dynamicAnchor: 'z', properties: { q: { $ref: '#/nope' } } } } }),
  of({ additionalItems: { $anchor: 'q', type: 'string' } }, 1, { anyOf: [{ $ref: '#q' }] }),
  ...['#items', '#/$defs/items'].map((reference) =>
    shape(
      {
        $id: 'http://x/s',
        $ref: 'list',
        $defs: {
          foo: { $dynamicAnchor: 'items', type: 'string' },
          list: {
            $id: 'list',
            properties: { a: { items: { $dynamicRef: reference } } },
            $defs: { items: { $dynamicAnchor: 'items' } },
          },
        },
      },
      { a: [1, 'b'] },
    ),
  ),
  shape(
    {
      $schema: nineteen,
      $id: 'http://x/t',
      $recursiveAnchor: true,
      $ref: 'http://x/n',
      required: ['q'],
      $defs: {
        n: { $id: 'http://x/n', $recursiveAnchor: true, properties: { c: { $recursiveRef: '#' } } },
      },
    },
    { q: 1, c: { c: {} } },
  ),
  shape({ $recursiveAnchor: true }),
  shape({ $recursiveRef: '#/$defs/a', $defs: { a: text } }),
];

const itself = { $ref: '#' };

const cycles: readonly SchemaShape[] = [
  ...[
    itself,
    { allOf: [itself] },
    { anyOf: [itself, { type: 'object' }] },
    { oneOf: [itself, { type: 'object' }] },
    { not: itself },
    { if: itself, [['th', 'en'].join('')]: false },
    { $dynamicAnchor: 'n', allOf: [{ $dynamicRef: '#n' }] },
    { $schema: nineteen, $recursiveAnchor: true, allOf: [{ $recursiveRef: '#' }] },
    { $ref: '#/$defs/p/allOf/0', $defs: { p: { allOf: [{ $ref: '#/$defs/p' }] } } },
  ].map((schema) => shape(schema)),
  of({ $ref: '#/$defs/a' }, 1, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
  of({ $ref: '#/definitions/a' }, 1, {
    $schema: seven,
    definitions: { a: { allOf: [{ $ref: '#/definitions/b' }] }, b: { $ref: '#/definitions/a' } },
  }),
  of(itself, { a: { a: 1 } }),
  shape({ allOf: [{ properties: { 'x y;': { $ref: '#/allOf/0/properties/x%20y%3B' } } }] }, { 'x y;': 1 }),
];

const invalid: readonly SchemaShape[] = [
  ...[
    { type: 'text' },
    { type: ['string', 'string'] },
    { minLength: 1.5 },
    { minLength: -1 },
    { multipleOf: 0 },
    { pattern: '(' },
    { pattern: '^(?!x)' },
    { patternProperties: { '(': {} } },
    { $ref: 5 },
    { $ref: '::' },
    { $schema: 5 },
    { allOf: [] },
    { items: [{}] },
    { properties: { a: null } },
    { dependencies: { a: ['b', 'b'] } },
    { enum: ['a', 'a'] },
    { definitions: { a: 5 } },
    { $anchor: '1' },
    { $vocabulary: { x: 1 } },
    { format: 5 },
    { properties: { a: { properties: { b: { type: 'x' } } }, c: { type: 'y' }, d: { minimum: 'z' } } },
    [],
    true,
    false,
    {},
  ].map((schema) => shape(schema)),
  ...['5', 'null', '"x"', '{} x', '{"a":', '{"properties":{"a":{"minLength":2.0}}}'].map((each) =>
    shape(each),
  ),
  ...[{ enum: ['a', 'a'] }, { enum: [] }, { properties: { a: { required: true } } }, { items: [] }].map(
    (schema) => shape({ $schema: seven, ...schema }),
  ),
  ...[{ required: [] }, { exclusiveMinimum: true }, { patternProperties: { '(': {} } }].map((schema) =>
    shape({ $schema: four, ...schema }),
  ),
  shape({ $schema: four, definitions: { u: { patternProperties: { '(': {} } } } }),
  shape({ $schema: six, patternProperties: { '(?!a)': {} } }),
];

const numbers: readonly SchemaShape[] = [
  raw('{"enum":[1000000,1.0,1e3,0.10,-0]}', 'x'),
  raw('{"const":1.0}', 1),
  raw('{"const":1.50}', 2),
  raw('{"const":1e2}', 100),
  raw('{"minimum":9007199254740993}', 9007199254740992),
  raw('{"const":9007199254740993}', 9007199254740992),
  raw('{"maximum":0.1000000000000000055511151231257827}', 0.1),
  raw('{"minimum":0.1000000000000000055511151231257827}', 0.1),
  raw('{"minimum":-0.1000000000000000055511151231257827}', -0.1),
  raw('{"maximum":-0.1000000000000000055511151231257827}', -0.1),
  raw('{"multipleOf":0.01}', 19.99),
  raw('{"multipleOf":1e-8}', 12391239123),
  raw('{"multipleOf":1e300}', 1e308),
  raw('{"multipleOf":0.123456789}', 1e308),
  raw('{"multipleOf":3}', -9),
  raw('{"multipleOf":1.10}', 3.3),
  raw('{"maximum":1e400}', 5),
  raw('{"minimum":1e400}', 5),
  raw('{"maximum":-1e400}', 5),
  raw('{"minimum":1e2000000}', 5),
  raw('{"maxLength":18446744073709551616}', 'abc'),
  raw('{"type":"integer"}', 1e21),
  raw('{"minimum":-0.00001,"maximum":-1234567}', -5e-7),
  raw('{"minLength":1000000}', 'x'),
  raw('{"minItems":1234567}', []),
  raw('{"minimum":123456.789}', 0.00012),
];

const values: readonly SchemaShape[] = [
  of({ maxLength: 1 }, '😀'),
  of({ maxLength: 1 }, 'e\u0301'),
  of({ const: 'a\\' }, 'x'),
  of({ const: 'it\'s "q" \n\u0001\u200b' }, 'x'),
  shape({ additionalProperties: text }, { "it's/x~y": 1, 'a"b\\': 1 }),
  of({ pattern: String.raw`^\p{Greek}$` }, 'α'),
  of({ uniqueItems: true }, [1, { b: 1, c: 2 }, { c: 2, b: 1 }]),
  of({ uniqueItems: true }, [...range(1500), 1400]),
  of({ contains: text, minContains: 0 }, [1]),
  of({ contains: text, minContains: 2, maxContains: 1 }, ['x', 1]),
  of({ contains: text, maxContains: 1 }, ['x', 'y']),
  of({ prefixItems: [text], unevaluatedItems: false }, ['x', 1]),
  of({ contains: { const: 1 }, unevaluatedItems: false }, [1, 2]),
  of({ contains: { const: 1 }, unevaluatedItems: false }, [1], { $schema: nineteen }),
  shape({ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1, b: 2 }),
  shape({ not: { not: { properties: { a: {} } } }, unevaluatedProperties: false }, { a: 1 }),
  shape({ propertyNames: { pattern: '^a' } }, { b: 1 }),
  shape({ propertyNames: { maxLength: 1, pattern: '^a' } }, { bb: 1 }),
  shape(
    { dependencies: { a: { required: ['z'] } }, dependentRequired: { a: ['y'] }, required: ['w'] },
    { a: 1 },
  ),
];

const formats: Readonly<Record<string, readonly string[]>> = {
  'json-pointer': ['', '/a~0', 'a', '/a~2', '/~'],
  'relative-json-pointer': ['0', '01', '1#', '1/a', 'x', '12/~3'],
  uuid: ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', 'x', '2eb8aa08-aa98-11ea-b4aa-73b441d1638g', 'é-a-a-a-a'],
  duration: ['P1D', 'P', 'PW', 'P1W', 'P1WT', 'P1DT', 'P1M1Y', 'PT1S1H', 'PT1', 'P1é', '1D', 'P1.5D'],
  period: ['2026-01-01T00:00:00Z/P1D', 'P1D/2026-01-01T00:00:00Z', 'x', 'P1D/P1D', '/'],
  ipv4: ['1.2.3.4', '1.2.3', '256.1.1.1', '01.1.1.1', '+1.1.1.1', '1.1.1.99999999999999999999', '1.1.1.'],
  ipv6: ['::1', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '::1%eth0', '::1%', '12345::', 'g::', '1::2::3'],
  'iri-reference': ['::1.2.3.4', '1:1.2.3.4', '::256.1.1.1', ':1', 'ü', 'a\\b'],
  hostname: ['a.b.', '', '-a', 'a-', 'a_b', 'é', 'a'.repeat(64), `${'a.'.repeat(127)}a`],
  email: [
    'a@b',
    'a',
    '@b',
    'a@',
    '"a b"@c',
    '"a"b"@c',
    'a..b@c',
    '.a@b',
    'a b@c',
    'a@[1.2.3.4]',
    'a@[IPv6:x]',
  ],
  date: ['2026-01-31', '2026-02-30', '2026-13-01', '2026-1-1', '2026-01-31x', ''],
  time: [
    '12:00:00Z',
    '12:00:00',
    '23:59:60Z',
    '12:59:60Z',
    '00:29:60+00:30',
    '12:00:00.Z',
    '12:00:0:Z',
    '-1:00:0gZ',
    '12:00:00+1:00',
  ],
  'date-time': [
    '2026-01-01T00:00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T25:00:00Z',
  ],
  uri: [
    'http://a',
    'a',
    'http://[::1',
    'http://::1',
    'http://[:1]',
    'http://[1.2.3.4]',
    'http://a b',
    'x:%zz',
  ],
  'uri-reference': ['a', 'a\\b', 'a:b', '%zz', ':a', '1:2'],
  'uri-template': ['http://a/{b}', '/{a', '/a}', '/{{a}}', '/{a}/b}', '/%7Ba', '/é%7Ba'],
  regex: ['a', '(', '(?!a)', 'a{2,1}', 'a**', '[[:foo:]]', 'a{1001}', '\\', '(?<n>a)'],
  semver: ['1.2.3', '1.2', '01.2.3', '1.2.3-', '1.2.3-a.01', '1.2.3+', '1.2.3-a_b', '1.2.x', 'v1.2.3'],
  unknown: ['x'],
};

/** Returns schemas and values for what random schemas do not have. */
export function schemaShapes(): SchemaShape[] {
  return [
    ...metaschemas,
    ...dialects,
    ...references,
    ...cycles,
    ...invalid,
    ...numbers,
    ...values,
    ...Object.entries(formats).map(([format, texts]) => of({ items: { format } }, texts, { $schema: seven })),
  ];
}

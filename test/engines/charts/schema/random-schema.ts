import { Random } from '../random.ts';

/** Values, and a `values.schema.json` that they match or not. */
export interface SchemaCase {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, unknown>>;
}

type Draft = 4 | 6 | 7 | 2019 | 2020;

const dialects: Readonly<Record<Draft, string>> = {
  4: 'http://json-schema.org/draft-04/schema#',
  6: 'http://json-schema.org/draft-06/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  2019: 'https://json-schema.org/draft/2019-09/schema',
  2020: 'https://json-schema.org/draft/2020-12/schema',
};

const names = ['a', 'b', 'cc', 'd-e', 'x/y'];

/** Returns a case with keywords of one of the drafts that Helm's validator reads. */
export function schemaCase(seed: number): SchemaCase {
  const random = new Random(seed);
  const draft = random.pick<Draft>([4, 6, 7, 2019, 2020]);
  const maker = new SchemaMaker(random, draft);
  // Up to draft 7, a reference would hide the definitions.
  const { $ref: _, ...root } = maker.schema(0);
  const schema = {
    ...root,
    $schema: dialects[draft],
    definitions: { first: maker.ending(), second: maker.ending(), text: { type: 'string' } },
  };
  return { schema, values: someProperties(random, 0) };
}

function someProperties(random: Random, depth: number): Record<string, unknown> {
  const chosen = names.filter(() => random.chance(0.7));
  return Object.fromEntries(chosen.map((name) => [name, randomValue(random, depth + 1)]));
}

function randomValue(random: Random, depth: number): unknown {
  const kinds: (() => unknown)[] = [
    () => null,
    () => random.chance(0.5),
    () => random.pick([0, 1, 2, 3, 0.3, 0.5, -1, 1500, 1_000_000]),
    () => random.pick([0, 1, 0.3, 1.5, -1.5, 12_345.5]),
    () => random.pick(['', 'a', 'ab', "it's", 'x"y', '1.2.3', 'quay.io/a:b', 'é😀', 'Always', 'info']),
    () =>
      random.pick([
        [1, 1],
        ['a', 'b', 'a'],
        [{ a: 1 }, { a: 1 }],
      ]),
    () => random.pick(['a', 'info', '1.2.3', 'quay.io/a:b']),
    () => random.below(4),
    () => random.below(4),
    () => random.below(4),
  ];
  if (depth <= 2)
    kinds.push(
      () => random.some(4, () => randomValue(random, depth + 1)),
      () => random.some(4, () => randomValue(random, depth + 1)),
      () => someProperties(random, depth),
      () => someProperties(random, depth),
    );
  return random.pick(kinds)();
}

type JsonObject = Record<string, unknown>;

/** Makes schemas of one draft. */
class SchemaMaker {
  readonly #random: Random;
  readonly #draft: Draft;

  constructor(random: Random, draft: Draft) {
    this.#random = random;
    this.#draft = draft;
  }

  /** Returns a schema without references, which could lead to itself. */
  ending(): JsonObject {
    const schema = this.schema(2);
    return JSON.stringify(schema).includes('$ref') ? { type: 'integer' } : schema;
  }

  schema(depth: number): JsonObject {
    const schema: JsonObject = {};
    for (let count = this.#random.below(3); count >= 0; count--) {
      const keywords = this.#random.pick([
        () => this.#ofValue(),
        () => this.#ofValue(),
        () => this.#ofValue(),
        () => this.#ofObject(depth),
        () => this.#ofObject(depth),
        () => this.#ofArray(depth),
        () => this.#ofArray(depth),
        () => this.#ofCondition(depth),
      ])();
      Object.assign(schema, keywords);
    }
    return schema;
  }

  /** A schema below another one. */
  #inner(depth: number): unknown {
    if (depth >= 3 || this.#random.chance(0.05)) return this.#draft >= 6 ? this.#random.chance(0.6) : {};
    return this.schema(depth + 1);
  }

  #ofValue(): JsonObject {
    const random = this.#random;
    const isFour = this.#draft === 4;
    return random.pick<() => JsonObject>([
      () => ({ type: random.pick(['object', 'string', 'integer', 'number', 'array', 'boolean', 'null']) }),
      () => ({ type: random.pick([['string', 'null'], ['integer', 'string'], 'object']) }),
      () => ({ enum: random.pick([['Always', 'info'], [1, 2, 'a'], [null], [{ a: 1 }, 2], ['a']]) }),
      () => ({ const: random.pick<unknown>(['a', 1, null, true, { a: 1 }]) }),
      () => ({ minimum: random.pick([0, 1, 2, 1500]) }),
      () => ({ maximum: random.pick([0, 1, 2]) }),
      () => (isFour ? { minimum: 1, exclusiveMinimum: true } : { exclusiveMinimum: 1 }),
      () => (isFour ? { maximum: 1, exclusiveMaximum: true } : { exclusiveMaximum: 1 }),
      () => ({ multipleOf: random.pick([2, 0.2, 0.25]) }),
      () => ({ minLength: 2 + random.below(9) }),
      () => ({ maxLength: random.below(3) }),
      () => ({ pattern: random.pick(['^a', '[0-9]+', '^(a|b)*$', '(?i)ALWAYS', String.raw`\.`]) }),
      () => ({ title: 'title', description: 'description', default: 1 }),
      () => ({ $ref: `#/definitions/${random.pick(['first', 'second', 'text'])}` }),
    ])();
  }

  #ofObject(depth: number): JsonObject {
    const random = this.#random;
    const inner = (): unknown => this.#inner(depth);
    const properties = (): JsonObject => ({
      properties: Object.fromEntries(names.filter(() => random.chance(0.5)).map((name) => [name, inner()])),
    });
    return random.pick<() => JsonObject>([
      properties,
      properties,
      properties,
      () => ({ minProperties: 1 + random.below(4) }),
      () => ({ maxProperties: random.below(3) }),
      () => ({ required: [...new Set([random.pick(names), random.pick(names)])] }),
      () => ({ patternProperties: { [random.pick(['^a', 'c', '-'])]: inner() } }),
      () => ({ additionalProperties: random.chance(0.5) ? false : inner() }),
      () => ({ dependencies: { a: random.chance(0.5) ? ['b'] : inner() } }),
      () => ({ dependentRequired: { a: ['b', 'cc'] } }),
      () => ({ dependentSchemas: { b: inner() } }),
      () => ({ unevaluatedProperties: random.chance(0.7) ? false : inner() }),
    ])();
  }

  #ofArray(depth: number): JsonObject {
    const random = this.#random;
    const inner = (): unknown => this.#inner(depth);
    const isOld = this.#draft <= 2019;
    return random.pick<() => JsonObject>([
      () => ({ minItems: 1 + random.below(3) }),
      () => ({ maxItems: random.below(2) }),
      () => ({ uniqueItems: true }),
      () => ({ items: inner() }),
      () => (isOld ? { items: [inner(), inner()] } : { prefixItems: [inner(), inner()] }),
      () => (isOld ? { items: [inner()], additionalItems: random.chance(0.5) ? false : inner() } : {}),
      () => ({ contains: inner() }),
      () => ({ contains: inner(), minContains: random.below(3), maxContains: random.below(3) }),
      () => ({ unevaluatedItems: random.chance(0.5) ? false : inner() }),
    ])();
  }

  #ofCondition(depth: number): JsonObject {
    const inner = (): unknown => this.#inner(depth);
    return this.#random.pick<() => JsonObject>([
      () => ({ allOf: [inner(), inner()] }),
      () => ({ anyOf: [inner(), inner()] }),
      () => ({ oneOf: [inner(), inner()] }),
      () => ({ not: inner() }),
      // The name of the keyword is computed, because an object with it looks like a promise.
      () => ({ if: inner(), [['th', 'en'].join('')]: inner(), else: inner() }),
    ])();
  }
}

const wrongValues: readonly unknown[] = [
  5,
  -1,
  1.5,
  null,
  true,
  [],
  ['a', 'a'],
  [1],
  {},
  { a: 5 },
  'x',
  '(',
  '#/nope',
  'urn:x:y',
  'http://json-schema.org/draft-07/schema#',
  '#',
  '',
];

const replaced =
  'type minLength maxItems pattern required properties items allOf anyOf not enum const multipleOf minimum exclusiveMinimum $ref $id id $anchor $dynamicRef $recursiveRef $dynamicAnchor $recursiveAnchor dependencies dependentRequired if then contains propertyNames patternProperties additionalProperties uniqueItems format $schema title definitions $defs prefixItems unevaluatedProperties minContains contentSchema'.split(
    ' ',
  );

/** Returns a case with one or two keywords whose values are made at random. Most are not schemas. */
export function wrongSchemaCase(seed: number): SchemaCase {
  const { schema, values } = schemaCase(seed);
  const random = new Random(seed);
  const changed = structuredClone(schema) as JsonObject;
  for (let count = random.chance(0.3) ? 2 : 1; count > 0; count--) {
    const objects: JsonObject[] = [];
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Array.isArray(value)) objects.push(value as JsonObject);
      for (const inner of Object.values(value)) collect(inner);
    };
    collect(changed);
    random.pick(objects)[random.pick(replaced)] = structuredClone(random.pick(wrongValues));
  }
  return { schema: changed, values };
}

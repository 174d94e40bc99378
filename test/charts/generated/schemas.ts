import type { Random } from '../../engines/charts/random.ts';

const dialects = [
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
  undefined,
] as const;

/** Returns a `values.schema.json` in one of the dialects, which most values of a chart satisfy. */
export function valuesSchema(random: Random): string {
  const dialect = random.pick(dialects);
  const isFour = dialect?.includes('draft-04') === true;
  const shared = dialect === undefined || dialect.includes('/20') ? '$defs' : 'definitions';
  const nothing = { type: 'null' };
  const properties = {
    replicas: random.pick([
      { type: 'integer', minimum: 0 },
      { type: ['integer', 'string'] },
      { $ref: `#/${shared}/count` },
      isFour
        ? { type: 'number', minimum: 0, exclusiveMinimum: true }
        : { exclusiveMinimum: 0, type: 'number' },
    ]),
    image: {
      type: 'object',
      required: ['repository'],
      properties: {
        registry: { type: ['string', 'null'] },
        repository: { type: 'string', minLength: 1 },
        tag: random.pick([{ type: 'string' }, { type: 'string', pattern: '^(v?[0-9.]+.*)?$' }]),
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      },
      ...(random.chance(0.2) && { additionalProperties: false }),
    },
    hosts: { type: 'array', items: { type: 'string' }, uniqueItems: random.chance(0.1) },
    labels: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    resources: random.pick([{ type: 'object' }, { anyOf: [{ type: 'object' }, nothing] }]),
    config: random.pick([
      { type: 'object', patternProperties: { '^m': { type: ['string', 'null'] } } },
      { type: 'object', minProperties: 1, propertyNames: { pattern: '^[a-z]+$' } },
      { allOf: [{ type: 'object' }, { required: ['mode'] }] },
    ]),
    logLevel: random.pick([
      { type: 'string' },
      { enum: ['info', 'debug', 'warn', 'yes', '1.10', 'null'] },
      { type: 'string', maxLength: 5 },
    ]),
    numbers: { type: 'object', properties: { zero: { multipleOf: 1 }, negative: { maximum: 0 } } },
    domain: { oneOf: [{ type: 'string', pattern: '\\.' }, nothing] },
  };
  const schema = {
    ...(dialect !== undefined && { $schema: dialect }),
    type: 'object',
    [shared]: { count: { type: 'integer' } },
    properties,
    ...(random.chance(0.2) && {
      required: random.pick([['image'], ['image', 'replicas'], ['image', 'missing'], ['replicas']]),
    }),
    ...(random.chance(0.15) && {
      if: { properties: { enabled: { const: true } } },
      else: { properties: { replicas: { maximum: 2 } } },
    }),
  };
  return JSON.stringify(schema, null, random.pick([0, 2]));
}

import { expect, test } from 'vitest';
import { brokenRules } from '../../../src/compiler/admit/schema/cel-rules.ts';
import { kinds, type StructuralSchema } from '../../../schemas/index.ts';

const counted: StructuralSchema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    share: { type: 'number' },
    limits: {
      type: 'object',
      additionalProperties: {
        type: 'array',
        items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
      },
    },
  },
  'x-kubernetes-validations': [{ rule: 'self.count % 2 == 0 && self.share <= 1.0', message: 'must be even' }],
};

test('integers and numbers follow the schema', () => {
  expect(brokenRules({ count: 2, share: 1 }, counted)).toEqual([]);
  expect(brokenRules({ count: 3, share: 1 }, counted)).toEqual([
    {
      code: 'FW2014',
      field: [],
      message: 'must be even',
      hint: 'the schema asks for self.count % 2 == 0 && self.share <= 1.0',
    },
  ]);
});

test('rules below lists and maps blame the value that breaks them', () => {
  const faults = brokenRules({ count: 2, share: 1, limits: { a: [1, 0], b: [] } }, counted);
  expect(faults).toEqual([
    {
      code: 'FW2014',
      field: ['limits', 'a', 1],
      message: 'a rule of the schema is broken',
      hint: 'the schema asks for self > 0',
    },
  ]);
});

test('a rule that cannot be evaluated is not satisfied', () => {
  const of = (rule: string): StructuralSchema => ({ type: 'object', 'x-kubernetes-validations': [{ rule }] });
  const messages = (rule: string): string[] =>
    brokenRules({ a: 'x' }, of(rule)).map(({ code, message }) => `${code} ${message}`);
  expect(messages('self.b == 1')).toEqual([
    'FW2015 the rule self.b == 1 cannot be evaluated: no such key: b',
  ]);
  expect(messages('self.a')).toEqual([
    'FW2015 the rule self.a cannot be evaluated: it does not return a boolean',
  ]);
  expect(messages('nope == 1')).toEqual([
    "FW2015 the rule nope == 1 cannot be evaluated: undeclared reference to 'nope' (in container '')",
  ]);
  const loops = 'self.l.all(a, self.l.all(b, self.l.all(c, self.l.all(d, self.l.all(e, true)))))';
  expect(brokenRules({ l: Array(30).fill('x') }, of(loops)).map(({ message }) => message)).toEqual([
    `the rule ${loops} cannot be evaluated: it costs more than the limit of the API server`,
  ]);
});

test('rules that compare with an earlier state are not evaluated for new objects', () => {
  expect(
    brokenRules({}, { type: 'object', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }),
  ).toEqual([]);
});

test('OCM’s schemas have no rules with features that are not implemented', () => {
  const features = new Set<string>();
  const collect = (schema: StructuralSchema): void => {
    for (const rule of schema['x-kubernetes-validations'] ?? [])
      for (const key of Object.keys(rule)) features.add(key);
    for (const property of Object.values(schema.properties ?? {})) collect(property);
    if (schema.items !== undefined) collect(schema.items);
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
      collect(schema.additionalProperties);
  };
  for (const { versions } of kinds) for (const { schema } of versions) collect(schema);
  expect([...features].sort()).toEqual(['message', 'rule']);
});

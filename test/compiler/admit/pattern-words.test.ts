import { expect, test } from 'vitest';
import { patternWords } from '../../../src/compiler/admit/schema/pattern-words.ts';
import { kinds, type StructuralSchema } from '../../../schemas/index.ts';

function* patternsIn({
  pattern,
  properties = {},
  items,
  additionalProperties,
}: StructuralSchema): Iterable<string> {
  if (pattern !== undefined) yield pattern;
  for (const schema of Object.values(properties)) yield* patternsIn(schema);
  if (items !== undefined) yield* patternsIn(items);
  if (typeof additionalProperties === 'object') yield* patternsIn(additionalProperties);
}
const patterns = [
  ...new Set(kinds.flatMap(({ versions }) => versions.flatMap(({ schema }) => [...patternsIn(schema)]))),
];
const wordsFor = (matching: string, other: string) => {
  const pattern = patterns.find((text) => new RegExp(text).test(matching) && !new RegExp(text).test(other));
  return pattern === undefined ? undefined : patternWords(pattern);
};

test.each([
  ['25%', '150%', 'a number of clusters or a percentage', 'write at most 100%'],
  [
    '25%',
    'a quarter',
    'a number of clusters or a percentage',
    'write a percentage of at most 100%, such as 25%, or a whole number',
  ],
  ['128Mi', '128MB', 'a quantity', 'write 128Mi (powers of 1024), or 128M (powers of 1000)'],
  ['128Mi', '64 kb', 'a quantity', 'write 64Ki (powers of 1024), or 64k (powers of 1000)'],
  ['128Mi', 'lots', 'a quantity', 'write a number with a unit, such as 500m, 2, 128Mi or 1Gi'],
  [
    'deployments:a:b',
    'deployment:a:b',
    'a container id',
    'write the plural of the kind, the workload and the container, such as deployments:agent:main; here deployments instead of deployment',
  ],
  [
    'deployments:a:b',
    'agent',
    'a container id',
    'write the plural of the kind, the workload and the container, such as deployments:agent:main',
  ],
])('where %s is right, %s is not %s', (right, wrong, noun, hint) => {
  const words = wordsFor(right, wrong);
  expect(words?.noun).toBe(noun);
  expect(words?.hint(wrong)).toBe(hint);
});

test('every pattern that has words is one of the schemas', () => {
  const covered = patterns.filter((pattern) => patternWords(pattern) !== undefined);
  expect(covered.length).toBeGreaterThan(6);
  expect(patternWords('^x$')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { boundedAnswer } from '../../../src/cli/commands/mcp/bounded-answer.ts';

const many = { clusters: Array.from({ length: 5000 }, (_, index) => `cluster-${index}`), note: 'short' };

test('an answer that fits is complete', () => {
  expect(boundedAnswer({ a: 1 }, 'name an app')).toEqual({ answer: { a: 1 } });
});

test('a longer answer has shorter lists, and a sentence about the rest', () => {
  const { answer, leftOut } = boundedAnswer(many, 'name an app', 2000);
  expect(JSON.stringify(answer).length).toBeLessThan(2000);
  expect(answer).toMatchObject({ note: 'short' });
  expect(leftOut).toBe(
    'Left out, because the answer is longer than 2000 characters: 4900 items. Lists have at most 100 items. To see the rest, ask for less: name an app.',
  );
});

test('the digests of a plan go first', () => {
  const plan = { hash: 'h', effects: { exceeded: [], objects: many.clusters }, addOns: ['a'] };
  const { answer, leftOut } = boundedAnswer(plan, 'name an app', 2000);
  expect(answer).toEqual({ hash: 'h', addOns: ['a'] });
  expect(leftOut).toContain('the digests in "effects"');
});

test('texts are cut, and an answer that cannot be shortened is left out', () => {
  const texts = boundedAnswer({ text: 'x'.repeat(10_000) }, 'name an app', 6000);
  expect(texts.leftOut).toContain('the rest of 1 long text');
  const wide = Object.fromEntries(many.clusters.map((name) => [name, 1]));
  expect(boundedAnswer(wide, 'name an app', 2000)).toEqual({
    answer: {},
    leftOut: 'Left out: the whole answer, which is longer than 2000 characters. Ask for less: name an app.',
  });
});

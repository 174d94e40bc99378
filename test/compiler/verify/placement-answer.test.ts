import { expect, test } from 'vitest';
import { readServerAnswer } from '../../../src/compiler/verify/index.ts';

test('an answer of OCM before 1.3 has no sums, and a field with another spelling', () => {
  const answer = {
    filteredPiplieResults: [
      { name: 'Predicate', filteredClusters: ['b', 'a'] },
      { name: 'Predicate,TaintToleration', filteredClusters: ['b', 'a'] },
    ],
    prioritizeResults: [{ name: 'Balance', weight: 1, scores: { a: 20, b: 100 } }],
  };
  expect(readServerAnswer(answer, 1)).toEqual({
    isSimulation: false,
    answer: {
      filters: [
        { name: 'Predicate', clusters: ['b', 'a'] },
        { name: 'TaintToleration', clusters: ['b', 'a'] },
      ],
      prioritizers: [{ name: 'Balance', weight: 1, scores: new Map(Object.entries({ a: 20, b: 100 })) }],
      totals: undefined,
      choice: ['b'],
    },
  });
});

test('an error is the answer', () => {
  expect(readServerAnswer({ error: 'placement "a" not found' }, undefined)).toEqual({
    error: 'placement "a" not found',
  });
});

test.each([
  ['a list', []],
  ['a text', 'ok'],
  ['a filter without clusters', { filteredPipelineResults: [{ name: 'Predicate' }] }],
  ['a cluster that is no name', { filteredPipelineResults: [{ name: 'Predicate', filteredClusters: [1] }] }],
  ['a score that is no number', { prioritizeResults: [{ name: 'Balance', weight: 1, scores: { a: '1' } }] }],
  ['a sum without a cluster', { aggregatedScores: [{ score: 1 }] }],
])('%s is not an answer of a placement server', (_, value) => {
  expect(readServerAnswer(value, undefined)).toBeUndefined();
});

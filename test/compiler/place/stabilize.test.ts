import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  binding,
  cluster,
  clusters,
  decide,
  decisionOf,
  earlier,
  placementNamed,
  score,
} from './hub-fixture.ts';

const fleet = [...clusters('a', 'b', 'c', 'd'), binding('default')];
const one = { numberOfClusters: 1 };
const steady = (weight: number) => ({
  prioritizerPolicy: {
    configurations: [{ scoreCoordinate: { type: 'BuiltIn', builtIn: 'Steady' }, weight }],
  },
});

function selections(objects: readonly object[]): Record<string, readonly string[]> {
  const { decisions } = decide(objects);
  return Object.fromEntries(Array.from(decisions.byPlacement, ([key, { selected }]) => [key, selected]));
}

describe('placements that balance', () => {
  test('are taken in the order of their names, and each counts for those after it', () => {
    expect(
      selections([...fleet, placementNamed('p2', one), placementNamed('p1', one), placementNamed('p3', one)]),
    ).toEqual({
      'default/p1': ['a'],
      'default/p2': ['b'],
      'default/p3': ['c'],
    });
  });
  test('keep their earlier decisions', () => {
    const objects = [
      ...fleet,
      placementNamed('p1', one),
      placementNamed('p2', one),
      earlier('p1', ['d']),
      earlier('p2', ['c']),
    ];
    expect(selections(objects)).toEqual({ 'default/p1': ['d'], 'default/p2': ['c'] });
  });
  test('leave clusters that others crowd, for Balance weighs up to twice as much as Steady', () => {
    const crowd = [earlier('other', ['a']), placementNamed('p1', one), earlier('p1', ['a'])];
    expect(selections([...fleet, ...crowd])['default/p1']).toEqual(['b']);
  });
  test('are reported with the time when they will move, because the hub does not evaluate them immediately', () => {
    const objects = [...fleet, placementNamed('p1', one), placementNamed('p2', { predicates: [onlyA] })];
    const { decisions } = decide([cluster('a', { labels: { zone: 'a' } }), ...objects.slice(1)]);
    expect(decisionOf(decisions, 'default/p1').selected).toEqual(['a']);
    expect(decisionOf(decisions, 'default/p1').reasoning?.revision).toEqual(['b']);
    expect(decisionOf(decisions, 'default/p2').reasoning?.revision).toBeUndefined();
  });
});

const onlyA = { requiredClusterSelector: { labelSelector: { matchLabels: { zone: 'a' } } } };

describe('a placement that never becomes stable', () => {
  test('is one that avoids its own clusters', () => {
    const { decisions } = decide([...fleet, placementNamed('p1', { ...one, ...steady(-1) })]);
    expect(decisionOf(decisions, 'default/p1').reasoning?.unsettled).toBe(true);
  });
  test('does not happen if all clusters are selected anyway', () => {
    const { decisions } = decide([...fleet, placementNamed('p1', { ...steady(-1) })]);
    expect(decisionOf(decisions, 'default/p1').reasoning?.unsettled).toBe(false);
  });
});

test('the order of the objects makes no difference', () => {
  const objects = [
    ...['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) =>
      cluster(name, {
        labels: { env: index % 2 === 0 ? 'prod' : 'dev' },
        ...(index === 3 ? { taints: [{ key: 'gpu', effect: 'NoSelectIfNew' }] } : {}),
      }),
    ),
    binding('default'),
    binding('global'),
    placementNamed('p1', { numberOfClusters: 2 }),
    placementNamed('p2', {
      numberOfClusters: 3,
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: 'prod' } } } }],
    }),
    placementNamed('p3', { ...steady(2), numberOfClusters: 4 }),
    placementNamed('p4', { decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: '40%' } } }),
    score('b', { cpu: 3 }),
    earlier('p3', ['d', 'e']),
  ];
  const expected = selections(objects);
  expect(Object.keys(expected)).toEqual(['default/p1', 'default/p2', 'default/p3', 'default/p4']);
  fc.assert(
    fc.property(fc.shuffledSubarray(objects, { minLength: objects.length }), (shuffled) => {
      expect(selections(shuffled)).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test('deciding again from its own decisions changes nothing', () => {
  const spec = fc.record(
    { numberOfClusters: fc.integer({ min: 1, max: 5 }), weight: fc.integer({ min: 0, max: 3 }) },
    { requiredKeys: ['weight'] },
  );
  fc.assert(
    fc.property(spec, ({ weight, ...wanted }) => {
      const objects = [
        ...fleet,
        earlier('other', ['a', 'b']),
        placementNamed('p1', { ...wanted, ...steady(weight) }),
      ];
      const { 'default/p1': first = [] } = selections(objects);
      expect(selections([...objects, earlier('p1', first)])).toEqual({ 'default/p1': first });
    }),
    { numRuns: 30 },
  );
});

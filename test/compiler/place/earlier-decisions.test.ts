import { describe, expect, test } from 'vitest';
import { indexClusters } from '../../../src/compiler/place/cluster-index.ts';
import { earlierDecisions, type EarlierDecisions } from '../../../src/compiler/place/earlier-decisions.ts';
import { decisionsByPlacement } from '../../../src/compiler/place/unchanged-decision.ts';
import type { PlacementDecisionV1beta1 } from '../../../schemas/types.gen.ts';
import { clusters, earlier, inventoryOf } from './hub-fixture.ts';

const { managedClusters } = inventoryOf(...clusters('c', 'a', 'b'));
const index = indexClusters(Array.from(managedClusters.values(), ({ object }) => object));

function objects(...decisions: object[]): PlacementDecisionV1beta1[] {
  return Array.from(inventoryOf(...decisions).placementDecisions.values(), ({ object }) => object);
}

function counts(decisions: EarlierDecisions, except: string): Record<string, number> {
  const { counts: found, highest } = decisions.crowding(except);
  return { ...Object.fromEntries(index.names.map((name, cluster) => [name, found[cluster] ?? 0])), highest };
}

describe('earlier decisions', () => {
  const unlabelled = {
    ...earlier('hand-made', ['a']),
    metadata: { name: 'hand-made', namespace: 'default' },
  };
  const decisions = earlierDecisions(
    index,
    objects(
      earlier('p1', ['a', 'gone']),
      earlier('p1', ['b'], 2),
      earlier('p2', ['a', 'gone', 'gone']),
      unlabelled,
    ),
  );

  test('belong to the placement that their label names', () => {
    expect(index.namesOf(decisions.of('default/p1').filter((cluster) => cluster < index.size))).toEqual([
      'a',
      'b',
    ]);
    expect([...decisions.of('other/p1')]).toEqual([]);
  });
  test('count for the balance of all other placements, with names that no cluster has and without a label', () => {
    expect(counts(decisions, 'default/p1')).toEqual({ a: 2, b: 0, c: 0, highest: 2 });
    expect(counts(decisions, 'default/p2')).toEqual({ a: 2, b: 1, c: 0, highest: 2 });
    expect(counts(decisions, 'default/new')).toEqual({ a: 3, b: 1, c: 0, highest: 3 });
  });
  test('are replaced by their values', () => {
    const written = earlierDecisions(index, objects(earlier('p1', ['a', 'b']))).open();
    written.write('default/p1', Int32Array.of(2));
    written.write('default/p2', Int32Array.of(1, 2));
    expect(counts(written, 'default/new')).toEqual({ a: 0, b: 1, c: 2, highest: 2 });
    expect(counts(written, 'default/p2')).toEqual({ a: 0, b: 0, c: 1, highest: 1 });
  });
  test('are kept in others that begin with them', () => {
    const first = decisions.open();
    first.write('default/p1', Int32Array.of(2));
    first.write('default/new', Int32Array.of(1));
    expect(counts(first, 'default/p2')).toEqual({ a: 1, b: 1, c: 1, highest: 1 });
    for (const untouched of [decisions, decisions.open()]) {
      expect(index.namesOf(untouched.of('default/p1').filter((cluster) => cluster < index.size))).toEqual([
        'a',
        'b',
      ]);
      expect(counts(untouched, 'default/new')).toEqual({ a: 3, b: 1, c: 0, highest: 3 });
    }
  });
});

test('pages are in the order of their numbers', () => {
  const pages = [10, 2, 1].map((page) => earlier('p1', ['a'], page));
  const [first] = decisionsByPlacement(objects(...pages)).values();
  expect(first?.map(({ metadata }) => metadata.name)).toEqual([
    'p1-decision-1',
    'p1-decision-2',
    'p1-decision-10',
  ]);
});

test('clusters are numbered in the order of their names, and claims of the same name count once', () => {
  expect(index.names).toEqual(['a', 'b', 'c']);
  expect(index.indexOf('c')).toBe(2);
  expect(index.indexOf('d')).toBeUndefined();
  const claimed = indexClusters([
    {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'a' },
      status: {
        clusterClaims: [
          { name: 'x', value: '1' },
          { name: 'x', value: '2' },
        ],
      },
    },
  ]);
  expect(claimed.claims(0)).toEqual({ x: '2' });
});

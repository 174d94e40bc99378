import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ranking } from '../../../../src/compiler/place/ranking.ts';
import { best } from '../../../../src/compiler/place/ranking.ts';
import { balanceScores } from '../../../../src/compiler/place/prioritizers/balance.ts';
import {
  binding,
  cluster,
  clusters,
  decide,
  decisionOf,
  earlier,
  placement,
  score,
  selectedOf,
} from '../hub-fixture.ts';

/** The scores of every cluster for placement `default/pl`, by prioritizer. */
function scoresOf(objects: readonly object[]): Record<string, Record<string, number>> {
  const { decisions } = decide(objects);
  const ranking = decisionOf(decisions).reasoning?.ranking();
  if (ranking === undefined) throw new Error('not scheduled');
  const names = decisions.scheduler.index.namesOf(ranking.clusters);
  return Object.fromEntries(
    ranking.prioritizers.map(({ prioritizer, scores }) => [
      `${prioritizer.name} × ${prioritizer.weight}`,
      Object.fromEntries(names.map((name, position) => [name, (scores[position] ?? NaN) + 0])),
    ]),
  );
}

function exactly(...configurations: object[]): object {
  return { prioritizerPolicy: { mode: 'Exact', configurations } };
}

function additive(...configurations: object[]): object {
  return { prioritizerPolicy: { configurations } };
}

function builtIn(name: string, weight?: number): object {
  return { scoreCoordinate: { type: 'BuiltIn', builtIn: name }, ...(weight === undefined ? {} : { weight }) };
}

function addOn(scoreName: string, weight = 1): object {
  return { scoreCoordinate: { type: 'AddOn', addOn: { resourceName: 'load', scoreName } }, weight };
}

describe('Balance', () => {
  test('prefers clusters that other decisions do not name, and truncates before it doubles', () => {
    const others = [
      earlier('p1', ['a', 'b', 'c', 'd', 'gone']),
      earlier('p2', ['b', 'c', 'd', 'gone']),
      earlier('p3', ['c', 'd', 'gone']),
      earlier('p4', ['d', 'gone']),
      earlier('p5', ['gone']),
    ];
    const objects = [
      ...clusters('a', 'b', 'c', 'd', 'e'),
      binding('default'),
      placement(exactly(builtIn('Balance'))),
    ];
    expect(scoresOf([...objects, ...others])).toEqual({
      'Balance × 1': { a: 60, b: 18, c: -18, d: -60, e: 100 },
    });
  });
  test('does not count the decisions of the placement itself', () => {
    const objects = [...clusters('a', 'b'), binding('default'), placement(exactly(builtIn('Balance')))];
    expect(scoresOf([...objects, earlier('pl', ['a']), earlier('p1', ['b'])])).toEqual({
      'Balance × 1': { a: 100, b: -100 },
    });
  });
  test.each([
    [2, 3, -32],
    [1, 3, 32],
    [4, 10, 18],
    [1, 2, 0],
    [1, 1, -100],
  ])('%d of %d is %d', (count, highest, expected) => {
    expect(balanceScores(Int32Array.of(0), { counts: Int32Array.of(count), highest })[0]).toBe(expected);
  });
});

test('Steady prefers the clusters that the placement has, once it has them', () => {
  const spec = { ...exactly(builtIn('Steady', 3)), numberOfClusters: 1 };
  expect(scoresOf([...clusters('a', 'b'), binding('default'), placement(spec)])).toEqual({
    'Steady × 3': { a: 100, b: 0 },
  });
  expect(
    scoresOf([...clusters('a', 'b'), binding('default'), placement(spec), earlier('pl', ['b'])]),
  ).toEqual({
    'Steady × 3': { a: 0, b: 100 },
  });
});

describe('ResourceAllocatable', () => {
  test('spreads from the least to the most, with the rounding of floats', () => {
    const objects = [0, 3, 5, 10].map((cpu) =>
      cluster(`c${cpu}`, { allocatable: { cpu: `${cpu}`, memory: '1Gi' } }),
    );
    expect(
      scoresOf([...objects, binding('default'), placement(exactly(builtIn('ResourceAllocatableCPU')))]),
    ).toEqual({
      'ResourceAllocatableCPU × 1': { c0: -100, c3: -40, c5: 0, c10: 100 },
    });
  });
  test('scores all of them 100 if they are equal', () => {
    const objects = ['1Gi', '1024Mi'].map((memory, index) =>
      cluster(`c${index}`, { allocatable: { memory } }),
    );
    expect(
      scoresOf([...objects, binding('default'), placement(exactly(builtIn('ResourceAllocatableMemory')))]),
    ).toEqual({
      'ResourceAllocatableMemory × 1': { c0: 100, c1: 100 },
    });
  });
  test('has no score for a cluster that does not report its value or its capacity', () => {
    const objects = [
      cluster('full', { allocatable: { cpu: '2' } }),
      cluster('half', { allocatable: { cpu: '4' }, capacity: { memory: '1Gi' } }),
      cluster('none'),
    ];
    expect(
      scoresOf([...objects, binding('default'), placement(exactly(builtIn('ResourceAllocatableCPU')))]),
    ).toEqual({
      'ResourceAllocatableCPU × 1': { full: 100, half: NaN, none: NaN },
    });
  });
});

describe('AddOn', () => {
  const base = [...clusters('a', 'b', 'c', 'd'), binding('default')];
  test('uses scores unchanged, and 0 if there are no scores', () => {
    const scores = [
      score('a', { cpu: 40, mem: 1 }),
      score('b', { mem: 2 }),
      score('d', { cpu: -7 }, '2026-08-15T12:00:00Z'),
    ];
    expect(scoresOf([...base, ...scores, placement(exactly(addOn('cpu')))])).toEqual({
      'AddOn/load/cpu × 1': { a: 40, b: 0, c: 0, d: -7 },
    });
  });
  test('takes 0 for a score that expired', () => {
    const objects = [
      ...base,
      score('a', { cpu: 40 }, '2026-08-15T11:59:59Z'),
      placement(exactly(addOn('cpu'))),
    ];
    expect(scoresOf(objects)).toEqual({ 'AddOn/load/cpu × 1': { a: 0, b: 0, c: 0, d: 0 } });
  });
});

describe('which prioritizers run', () => {
  const base = [...clusters('a'), binding('default')];
  const names = (spec: object): string[] => Object.keys(scoresOf([...base, placement({ ...spec })]));

  test('Balance and Steady by default', () => {
    expect(names({})).toEqual(['Balance × 1', 'Steady × 1']);
    expect(names({ prioritizerPolicy: { mode: '' } })).toEqual(['Balance × 1', 'Steady × 1']);
  });
  test('Additive adds to them, and the last weight of a built-in counts', () => {
    expect(
      names(additive(builtIn('Steady', 4), builtIn('ResourceAllocatableCPU'), builtIn('Steady', 3))),
    ).toEqual(['Balance × 1', 'Steady × 3', 'ResourceAllocatableCPU × 1']);
  });
  test('weight 0 switches one off, whatever its name', () => {
    expect(names(additive(builtIn('Balance', 0), builtIn('Spread', 0)))).toEqual(['Steady × 1']);
  });
  test('Exact uses only listed prioritizers', () => {
    expect(names(exactly())).toEqual([]);
    expect(names(exactly(addOn('cpu', -2)))).toEqual(['AddOn/load/cpu × -2']);
  });
  test('an add-on score that is listed twice counts twice', () => {
    const objects = [
      ...clusters('a', 'b'),
      binding('default'),
      score('a', { cpu: 10 }),
      score('b', { cpu: 20 }),
    ];
    const { decisions } = decide([...objects, placement(exactly(addOn('cpu', 1), addOn('cpu', 2)))]);
    expect([...(decisionOf(decisions).reasoning?.ranking().totals ?? [])]).toEqual([30, 60]);
  });
  test.each([
    [{ prioritizerPolicy: { mode: 'exact' } }, ':incorrect prioritizer policy mode: exact'],
    [additive(builtIn('Spread')), ':incorrect builtin prioritizer: Spread'],
    [additive({ scoreCoordinate: { type: 'BuiltIn' } }), ':incorrect builtin prioritizer: '],
    [additive({ scoreCoordinate: { type: 'AddOn' } }), ':addOn should not be empty'],
  ])('%j is misconfigured', (spec, message) => {
    const { status, selected } = decisionOf(decide([...base, placement({ ...spec })]).decisions);
    expect(status.conditions?.[0]).toMatchObject({ status: 'True', message });
    expect(selected).toEqual([]);
  });
});

function byScore(numberOfClusters: number): object {
  return placement({ ...exactly(addOn('cpu')), numberOfClusters });
}

function ranking(...totals: number[]): Ranking {
  return {
    clusters: Int32Array.from(totals, (_, position) => position * 10),
    prioritizers: [],
    totals: Float64Array.from(totals),
  };
}

describe('the choice', () => {
  const base = [...clusters('a', 'b', 'c', 'd'), binding('default')];

  test('takes the highest totals, and names them in the order of names', () => {
    const scores = [score('a', { cpu: -1 }), score('b', { cpu: 5 }), score('d', { cpu: 9 })];
    expect(selectedOf([...base, ...scores, byScore(2)])).toEqual(['b', 'd']);
    expect(selectedOf([...base, ...scores, byScore(3)])).toEqual(['b', 'c', 'd']);
  });
  test('takes the first names among equals', () => {
    expect(selectedOf([...base, byScore(2)])).toEqual(['a', 'b']);
  });
  test('selects all if there are not more than wanted, and reports the number of missing ones', () => {
    const { status, selected } = decisionOf(decide([...base, byScore(6)]).decisions);
    expect(selected).toEqual(['a', 'b', 'c', 'd']);
    expect(status.conditions?.[1]).toEqual({
      type: 'PlacementSatisfied',
      status: 'False',
      reason: 'NotAllDecisionsScheduled',
      message: '2 cluster decisions unscheduled',
    });
  });
  test('may be for no cluster', () => {
    expect(selectedOf([...base, byScore(0)])).toEqual([]);
  });
  test('orders by total, descending, then by position', () => {
    expect([...best(ranking(1, 3, 2, 3, -1))]).toEqual([10, 30, 20, 0, 40]);
    expect([...best(ranking(1, 3, 2, 3, -1), 1)]).toEqual([10]);
    expect([...best(ranking())]).toEqual([]);
  });
  test('agrees with sorting', () => {
    const totals = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 40 });
    fc.assert(
      fc.property(totals, fc.nat(45), (values, number) => {
        const sorted = values
          .map((total, position) => ({ total, cluster: position * 10 }))
          .toSorted((a, b) => b.total - a.total || a.cluster - b.cluster);
        expect([...best(ranking(...values), number)]).toEqual(
          sorted.slice(0, number).map(({ cluster: found }) => found),
        );
      }),
    );
  });
});

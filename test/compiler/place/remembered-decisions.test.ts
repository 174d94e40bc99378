import { expect, test } from 'vitest';
import {
  binding,
  cluster,
  clusters,
  decide,
  decisionOf,
  earlier,
  now,
  placement,
  placementNamed,
} from './hub-fixture.ts';

type Objects = readonly (string | object)[];

/** The clusters of `default/pl` after each state, in the order of the states. */
function selectedInTurn(...states: readonly Objects[]): readonly (readonly string[])[] {
  let before: ReturnType<typeof decide>['decisions'] | undefined;
  return states.map((objects) => {
    before = decide(objects, now, before).decisions;
    return decisionOf(before).selected;
  });
}

const bound = binding('default');
const two = placement({ numberOfClusters: 2 });
const newTaint = { key: 'maintenance', effect: 'NoSelectIfNew', timeAdded: '2026-01-01T00:00:00Z' };

test('Steady keeps a cluster that another one would rank above', () => {
  const one = placement({ numberOfClusters: 1 });
  expect(
    selectedInTurn([bound, one, ...clusters('b', 'c')], [bound, one, ...clusters('a', 'b', 'c')]),
  ).toEqual([['b'], ['b']]);
});

test('without Steady the hub remembers nothing', () => {
  const exact = placement({
    numberOfClusters: 1,
    prioritizerPolicy: {
      mode: 'Exact',
      configurations: [
        { scoreCoordinate: { type: 'BuiltIn', builtIn: 'ResourceAllocatableCPU' }, weight: 1 },
      ],
    },
  });
  expect(selectedInTurn([bound, exact, ...clusters('b')], [bound, exact, ...clusters('a', 'b')])).toEqual([
    ['b'],
    ['a'],
  ]);
});

test('NoSelectIfNew spares the clusters that are already selected', () => {
  const tainted = cluster('a', { taints: [newTaint] });
  const all = placement();
  expect(
    selectedInTurn(
      [bound, all, ...clusters('a')],
      [bound, all, tainted, cluster('b', { taints: [newTaint] })],
    ),
  ).toEqual([['a'], ['a']]);
});

test('a cluster that leaves is replaced, and does not displace its replacement when it returns', () => {
  expect(
    selectedInTurn(
      [bound, two, ...clusters('a', 'b', 'c')],
      [bound, two, ...clusters('b', 'c')],
      [bound, two, ...clusters('a', 'b', 'c')],
    ),
  ).toEqual([
    ['a', 'b'],
    ['b', 'c'],
    ['b', 'c'],
  ]);
});

test('fewer clusters are some of those that the placement has', () => {
  const one = placement({ numberOfClusters: 1 });
  expect(
    selectedInTurn([bound, two, ...clusters('b', 'c')], [bound, one, ...clusters('a', 'b', 'c')]),
  ).toEqual([['b', 'c'], ['b']]);
});

test('Balance counts what other placements had before', () => {
  const balanced = (name: string): object => placementNamed(name, { numberOfClusters: 1 });
  const base = [bound, balanced('zz'), ...clusters('a', 'b')];
  const head = [...base, balanced('pl')];
  const before = decide(base).decisions;
  expect(decisionOf(before, 'default/zz').selected).toEqual(['a']);
  const { decisions, diagnostics } = decide(head, now, before);
  expect(decisionOf(decisions).selected).toEqual(['b']);
  expect(decisionOf(decisions, 'default/zz').selected).toEqual(['a']);
  // The order of new placements matters only if there are several.
  expect(diagnostics).toEqual([]);
});

test('the decisions of a placement that is gone do not count', () => {
  const base = [bound, placementNamed('gone', { numberOfClusters: 1 }), ...clusters('a', 'b')];
  expect(
    decisionOf(
      decide([bound, placement({ numberOfClusters: 1 }), ...clusters('a', 'b')], now, decide(base).decisions)
        .decisions,
    ).selected,
  ).toEqual(['a']);
});

test('the groups of a placement that the hub does not schedule stay', () => {
  const disabled = placement(
    { numberOfClusters: 1 },
    { annotations: { 'cluster.open-cluster-management.io/experimental-scheduling-disable': 'true' } },
  );
  expect(
    selectedInTurn(
      [bound, placement({ numberOfClusters: 1 }), ...clusters('b')],
      [bound, disabled, ...clusters('a', 'b')],
    ),
  ).toEqual([['b'], ['b']]);
});

test('decisions that only the later inputs have were read from the hub later, and count', () => {
  const one = placement({ numberOfClusters: 1 });
  expect(
    selectedInTurn(
      [bound, one, ...clusters('a', 'b')],
      [bound, one, ...clusters('a', 'b'), earlier('pl', ['b'])],
    ),
  ).toEqual([['a'], ['b']]);
});

test('if both states have the same decisions of the inputs, those of the earlier state count', () => {
  const one = placement({ numberOfClusters: 1 });
  const pulled = earlier('pl', ['c']);
  expect(
    selectedInTurn(
      [bound, one, ...clusters('c'), pulled],
      [bound, two, ...clusters('b', 'c'), pulled],
      [bound, two, ...clusters('a', 'b', 'c'), pulled],
    ),
  ).toEqual([['c'], ['b', 'c'], ['b', 'c']]);
});

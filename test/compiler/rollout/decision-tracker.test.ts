import { expect, test } from 'vitest';
import {
  mandatoryGroups,
  reachableGroups,
  trackGroups,
  type TrackedGroup,
} from '../../../src/compiler/rollout/decision-tracker.ts';
import { readStrategy } from '../../../src/compiler/rollout/strategy/strategy.ts';
import { decisionOf } from './scenes.ts';

function tracked(...groups: [index: string, name: string, ...clusters: string[]][]): readonly TrackedGroup[] {
  const result = trackGroups(groups.map(([index, name, ...clusters]) => decisionOf(index, name, clusters)));
  if (result instanceof Error) throw result;
  return result;
}

const indices = (groups: readonly TrackedGroup[]): number[] => groups.map(({ index }) => index);

test('objects of one group belong together, sorted by index and name', () => {
  expect(tracked(['1', 'b', 'c3'], ['0', 'a', 'c2'], ['0', 'a', 'c1', 'c2'])).toEqual([
    { index: 0, name: 'a', clusters: ['c1', 'c2'] },
    { index: 1, name: 'b', clusters: ['c3'] },
  ]);
});

test('items after a gap in the indices are lost', () => {
  const groups = tracked(['0', ''], ['2', ''], ['-1', '']);
  expect(indices(reachableGroups(groups))).toEqual([0, 2]);
  expect(indices(reachableGroups(tracked(['0', ''], ['2', ''])))).toEqual([0]);
  expect(indices(reachableGroups(tracked(['1', ''])))).toEqual([]);
});

test('mandatory groups are found by name, otherwise by index, which is 0 if it is missing', () => {
  const groups = tracked(['0', 'a'], ['1', 'b'], ['2', 'b'], ['3', '']);
  const mandatory = (...entries: { groupName?: string; groupIndex?: number }[]): number[] =>
    indices(
      mandatoryGroups(
        groups,
        readStrategy({
          type: 'ProgressivePerGroup',
          progressivePerGroup: { mandatoryDecisionGroups: entries },
        }),
      ),
    );
  expect(mandatory({ groupName: 'b', groupIndex: 3 })).toEqual([1, 2]);
  expect(mandatory({ groupIndex: 3 }, {})).toEqual([0, 3]);
  expect(mandatory({ groupName: 'z' }, { groupIndex: 9 })).toEqual([]);
  expect(mandatory()).toEqual([]);
});

test('an object without its group is an error, in the words of the hub', () => {
  expect(trackGroups([decisionOf('first', '', [])])).toEqual(
    new Error('incorrect group index: strconv.Atoi: parsing "first": invalid syntax'),
  );
});

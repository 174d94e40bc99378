import { expect, test } from 'vitest';
import { afterEarlier, isUnchanged, withCondition } from '../../src/base/objects/condition.ts';

const [before, now] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
const available = {
  type: 'Available',
  status: 'True',
  reason: 'Lease',
  message: 'a',
  lastTransitionTime: before,
};
const other = { ...available, type: 'Progressing' };

test('a condition is set in its position, or at the end', () => {
  const changed = { ...available, status: 'False', lastTransitionTime: now };
  expect(withCondition([available, other], changed)).toEqual([changed, other]);
  expect(withCondition([other], changed)).toEqual([other, changed]);
});

test('the time of a transition changes only with the status', () => {
  const reworded = { ...available, reason: 'Other', message: 'b', lastTransitionTime: now };
  expect(withCondition([available], reworded)).toEqual([{ ...reworded, lastTransitionTime: before }]);
  expect(afterEarlier(available, { ...reworded, status: 'False' }).lastTransitionTime).toBe(now);
  expect(afterEarlier(undefined, reworded)).toBe(reworded);
});

test('a condition without a time gets the time of the earlier one, and has none after a transition', () => {
  const { lastTransitionTime: _, ...rest } = available;
  const predicted: typeof rest & { readonly lastTransitionTime?: string } = rest;
  expect(withCondition([available], predicted)).toEqual([available]);
  expect(withCondition([available], { ...predicted, status: 'False' })).toEqual([
    { ...predicted, status: 'False' },
  ]);
});

test('a condition is unchanged if all but its time is equal', () => {
  const { status, reason, message } = available;
  expect(isUnchanged({ ...available, lastTransitionTime: now }, { status, reason, message })).toBe(true);
  for (const change of [{ status: 'False' }, { reason: 'Other' }, { message: 'b' }])
    expect(isUnchanged(available, { status, reason, message, ...change })).toBe(false);
  expect(isUnchanged(undefined, { status, reason, message })).toBe(false);
});

import { expect, test } from 'vitest';
import { Budgets } from '../../../src/controller/events/budgets.ts';
import { ManualClock } from '../manual-clock.ts';

function newBudgets() {
  const clock = new ManualClock();
  return { clock, budgets: new Budgets({ clock, burst: 3, refill: 1000 }) };
}

test('a limited number is available at once, and more over time', async () => {
  const { clock, budgets } = newBudgets();
  expect([1, 2, 3, 4].map(() => budgets.take('a'))).toEqual([true, true, true, false]);
  expect(budgets.wait('a')).toBe(1000);
  await clock.pass(999);
  expect([budgets.wait('a'), budgets.take('a')]).toEqual([1, false]);
  await clock.pass(1);
  expect([budgets.wait('a'), budgets.take('a'), budgets.take('a')]).toEqual([0, true, false]);
});

test('they fill up to the burst and no further', async () => {
  const { clock, budgets } = newBudgets();
  budgets.take('a');
  await clock.pass(3_600_000);
  expect([1, 2, 3, 4].map(() => budgets.take('a'))).toEqual([true, true, true, false]);
});

test('one takes nothing from another', () => {
  const { budgets } = newBudgets();
  for (let taken = 0; taken < 10; taken += 1) budgets.take('a');
  expect([1, 2, 3, 4].map(() => budgets.take('b'))).toEqual([true, true, true, false]);
});

test('the rest is not taken', () => {
  const { budgets } = newBudgets();
  expect([1, 2, 3].map(() => budgets.take('a', 1))).toEqual([true, true, false]);
  expect(budgets.take('a')).toBe(true);
});

test('those that are full again are forgotten, and others are not', async () => {
  const { clock, budgets } = newBudgets();
  for (let key = 0; key < 5000; key += 1) budgets.take(String(key));
  expect(budgets.size).toBe(5000);
  await clock.pass(500);
  for (const _ of [1, 2, 3]) budgets.take('a');
  await clock.pass(500);
  budgets.take('b');
  expect(budgets.size).toBe(2);
  expect(budgets.take('a')).toBe(false);
});

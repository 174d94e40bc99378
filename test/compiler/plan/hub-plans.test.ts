import { expect, test } from 'vitest';
import { combinedPlan } from '../../../src/compiler/index.ts';
import { app, planOf } from './states.ts';

test('sets of equal names on two hubs are different sets, and labels are the same', () => {
  const { plan } = planOf({}, { text: app.replace('"warn"', '"debug"') }, ['env']);
  const { reach } = combinedPlan([
    { hub: 'eu', plan },
    { hub: 'us', plan },
  ]);
  const rows = (by: string): readonly string[] =>
    reach.filter((row) => row.by === by).map(({ value, clusters }) => `${value} ${clusters}`);
  expect(rows('cluster set')).toEqual(['eu/default 6', 'eu/global 6', 'us/default 6', 'us/global 6']);
  const ofOne = plan.reach.find(({ by, value }) => by === 'env' && value === 'prod')?.clusters ?? 0;
  expect(rows('env')).toContain(`prod ${2 * ofOne}`);
});

import { expect, test } from 'vitest';
import type { Scenario } from '../record/scenario.ts';
import { families } from './families.ts';
import { shrink } from './shrink.ts';

const scenario = families.placement(3);

/** Whether a scenario still has a placement that tolerates something. */
async function tolerates({ input }: Scenario): Promise<boolean> {
  return Promise.resolve(JSON.stringify(input).includes('"tolerations":[{'));
}

test('parts that a difference does not need are omitted, objects first and then fields', async () => {
  expect(await tolerates(scenario)).toBe(true);
  const { input } = await shrink(scenario, tolerates, 1_000);
  const written = input.filter(({ kind }) => kind !== 'Namespace');
  expect(written.map(({ kind }) => kind)).toEqual(['Placement']);
  expect(written[0]?.['spec']).toEqual({ tolerations: [{}] });
});

test('it ends when it has tried as often as allowed, each time under another name', async () => {
  const names = new Set<string>();
  const smaller = await shrink(
    scenario,
    async ({ input }) => {
      names.add(JSON.stringify(input.map(({ metadata }) => metadata.name)));
      return Promise.resolve(false);
    },
    7,
  );
  expect(names.size).toBe(7);
  expect(smaller).toEqual(scenario);
});

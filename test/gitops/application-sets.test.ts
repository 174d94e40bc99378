import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareCase, type Comparison } from './application-sets/compare-case.ts';
import {
  startApplicationSetController,
  type ApplicationSetController,
} from './application-sets/controller.ts';
import { randomCase } from './application-sets/random-case.ts';

// Argo CD's ApplicationSet controller generates Applications from random ApplicationSets, and the prediction is compared with
// them. APPLICATION_SETS is the number of ApplicationSets, APPLICATION_SETS_SEED the first seed.

const perCase = 8;
const count = Number(process.env['APPLICATION_SETS'] ?? 40);
const firstSeed = Number(process.env['APPLICATION_SETS_SEED'] ?? 1);
const seeds = Array.from({ length: Math.ceil(count / perCase) }, (_, index) => firstSeed + index);

let controller: ApplicationSetController;
beforeAll(async () => {
  controller = await startApplicationSetController();
});
afterAll(async () => {
  await controller.stop();
});

test(
  `Argo CD generates the predicted Applications from ${seeds.length * perCase} ApplicationSets`,
  async () => {
    const comparisons: Comparison[] = [];
    for (const seed of seeds) comparisons.push(await compareCase(controller, randomCase(seed, perCase)));
    expect(comparisons.flatMap(({ differences }) => differences)).toEqual([]);
    const sum = (field: 'applications' | 'compared' | 'errors' | 'skipped'): number =>
      comparisons.reduce((total, each) => total + each[field], 0);
    // Most cases are evaluated, and most of those generate something.
    expect(sum('skipped')).toBeLessThan(sum('compared') / 4);
    expect(sum('errors')).toBeLessThan(sum('compared') / 2);
    expect(sum('applications')).toBeGreaterThan(sum('compared') / 2);
  },
  5 * 60_000 + seeds.length * 90_000,
);

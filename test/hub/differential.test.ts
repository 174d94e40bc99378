import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project } from '../conformance/projection.ts';
import { connect } from './client/hub.ts';
import { releaseOf } from './client/release.ts';
import { sharedHub } from './client/shared-hub.ts';
import { printDifferences } from './differential/differences.ts';
import { families, type Family } from './differential/families.ts';
import { predict } from './differential/predict.ts';
import { runFamily } from './differential/run-family.ts';
import { writeScenario } from './record/case-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const { versions, ...address } = await sharedHub();
const hub = connect({ ...address, versions });
afterAll(() => hub.close());

/** How many scenarios of each family are played in every run: `npm run fuzz:hub` plays as many as asked. */
const seeds: Readonly<Record<Family, number>> = { placement: 4, precedence: 4, template: 4, rollout: 3 };
const parallel = 4;

beforeAll(() => {
  for (const [module, version] of Object.entries(versions))
    process.stdout.write(`hub: ${module} ${version}\n`);
});

test.for(Object.keys(families) as Family[])(
  '%s: random scenarios match the compiler',
  { timeout: 1_800_000 },
  async (family) => {
    const { agreements, chance, disagreements } = await runFamily(hub, family, {
      seeds: Array.from({ length: seeds[family] }, (_, index) => index + 1),
      parallel,
      shrinkAttempts: 20,
      found: path.join(import.meta.dirname, 'found'),
    });
    const undecided = chance.map(({ seed }) => seed).join(', ');
    process.stdout.write(
      `${family}: seeds 1 to ${seeds[family]}, ${agreements} agree${undecided === '' ? '' : `, the hub itself was of two minds about ${undecided}`}\n`,
    );
    const reports = disagreements.map(
      ({ seed, folder, differences }) =>
        `seed ${seed}, saved in ${path.relative(root, folder)}\n${printDifferences(differences, 10)}`,
    );
    expect(reports.join('\n')).toBe('');
    expect(agreements + chance.length).toBe(seeds[family]);
  },
);

test.for(Object.keys(families).filter((family) => family !== 'rollout') as Family[])(
  '%s: the command prints the result of the compiler',
  (family) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'fleetwright-differential-'));
    try {
      const scenario = families[family](1);
      writeScenario(folder, scenario);
      const now = new Date(1_770_000_000_000);
      // Some scenarios hold what a rule of ours finds fault with: then the exit code is 1.
      const { stdout } = spawnSync(
        process.execPath,
        [
          path.join(root, 'build/cli/main.js'),
          'resolve',
          path.join(folder, 'input.yaml'),
          '-o',
          'json',
          '--hub-version',
          releaseOf(versions).name,
          '--now',
          now.toISOString(),
        ],
        { encoding: 'utf8', maxBuffer: 2 ** 26 },
      );
      const { items } = JSON.parse(stdout) as { readonly items: readonly object[] };
      expect({ answer: project(items) }).toEqual(predict(scenario, releaseOf(versions), now.getTime()));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

import { beforeAll, describe, expect, test } from 'vitest';
import { clusterLabels, clusters } from '../../../storm/storm-hub.ts';
import { storm } from '../../../storm/storm.ts';
import { RealHub, type StormEngine } from './real-hub.ts';

/** `STORM_SEED=7 STORM_COUNT=1` plays one history again. */
const first = Number(process.env['STORM_SEED'] ?? 1);
const count = Number(process.env['STORM_COUNT'] ?? 1);

/** Plays random histories of Git on a real hub with a real engine, side by side. */
export function playStorms(engineOf: () => StormEngine): void {
  beforeAll(async () => {
    // Agents that report nothing until a storm lets them.
    await engineOf().hub.addClusters(Object.fromEntries(clusters.map((cluster) => [cluster, clusterLabels])));
  });
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  describe.concurrent('random histories of Git', () => {
    test.for(seeds)(
      'nothing that a cluster uses is pruned in history %i',
      { timeout: 60 * 60_000 },
      async (seed) => {
        const hub = new RealHub(engineOf(), `s${seed}-`);
        const result = await storm(seed, hub);
        process.stdout.write(`  ${hub.engine}: ${JSON.stringify({ ...result, underWay: hub.underWay })}\n`);
        expect(result.faults).toEqual([]);
        // While another storm installs its add-ons, the agents report everything, and rollouts end.
        expect(hub.underWay).toBeGreaterThan(2);
      },
    );
  });
}

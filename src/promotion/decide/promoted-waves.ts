import { addToGroup } from '../../base/collections/groups.ts';
import { compareText } from '../../base/collections/compare-text.ts';
import { parseGoDuration } from '../../base/time/duration.ts';
import { clusterKey, type Release, type ReleaseGate } from './promotion.ts';
import type { PromotedWave } from '../../compiler/plan/promoted-change.ts';

/**
 * Returns the waves of releases that are still to start, one release after the other.
 *
 * @param waiting - the add-ons on clusters that wait, as `clusterKey`: a release in progress has others too
 */
export function promotedWaves(
  releases: readonly Release[],
  waiting: ReadonlySet<string>,
): readonly PromotedWave[] {
  const waves: PromotedWave[] = [];
  let after = 0;
  for (const { hash, waves: ofRelease, released, gates } of releases) {
    for (const parts of ofRelease.slice(released)) {
      const clusters = new Map<string, string[]>();
      let soak = 0;
      let tolerated = Infinity;
      for (const { addOn, gate, clusters: hashes } of parts) {
        for (const cluster of Object.keys(hashes))
          if (waiting.has(clusterKey(addOn, cluster))) addToGroup(clusters, addOn, cluster);
        const time = parseGoDuration(gates[gate]?.minSuccessTime ?? '0s');
        if (typeof time === 'number') soak = Math.max(soak, time);
        tolerated = Math.min(tolerated, toleratedBy(gates[gate] ?? {}));
      }
      for (const names of clusters.values()) names.sort(compareText);
      if (clusters.size > 0) waves.push({ release: hash, after, soak, clusters, tolerated });
      after += soak;
    }
  }
  return waves;
}

/** A cluster without a deadline never fails: the release waits for it. */
function toleratedBy({ progressDeadline, maxFailures = Infinity }: ReleaseGate): number {
  return progressDeadline === undefined ? 0 : maxFailures;
}

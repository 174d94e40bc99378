import { compareText } from '../../base/collections/compare-text.ts';
import { parseGoDuration } from '../../base/time/duration.ts';
import { clusterKey, type Release, type ReleaseGate, type WavePart } from './promotion.ts';
import type { PromotedGate, PromotedPart, PromotedWave } from '../../compiler/plan/promoted-change.ts';

/** The waves of releases, as a plan shows them. */
export interface PromotedWaves {
  /** The waves that are still to start, one release after the other. */
  readonly waves: readonly PromotedWave[];
  /** The waves that have started, of the release that delivers the content of the change. */
  readonly released: readonly PromotedWave[];
}

/**
 * Returns the waves of releases.
 *
 * @param ofChange - the release that delivers the content of the change, if any
 * @param waiting - the add-ons on clusters that wait, as `clusterKey`: a release in progress has others too
 */
export function promotedWaves(
  releases: readonly Release[],
  ofChange: Release | undefined,
  waiting: ReadonlySet<string>,
): PromotedWaves {
  const waves: PromotedWave[] = [];
  const started: PromotedWave[] = [];
  let after = 0;
  for (const release of releases) {
    const { hash, waves: ofRelease, released } = release;
    const isOfChange = release === ofChange;
    const shared = { release: hash, isOfChange };
    if (isOfChange)
      for (const parts of ofRelease.slice(0, released))
        started.push({ ...shared, after: 0, soak: 0, parts: promotedParts(parts, release) });
    for (const parts of ofRelease.slice(released)) {
      const soak = Math.max(0, ...parts.map(({ gate }) => soakOf(release.gates[gate])));
      const held = promotedParts(parts, release, waiting);
      if (held.length > 0) waves.push({ ...shared, after, soak, parts: held });
      after += soak;
    }
  }
  return { waves, released: started };
}

/** Returns the parts of a wave with clusters that wait. */
function promotedParts(
  parts: readonly WavePart[],
  { gates }: Release,
  waiting?: ReadonlySet<string>,
): readonly PromotedPart[] {
  return parts.flatMap(({ addOn, gate, clusters, placement }): PromotedPart[] => {
    const names = Object.keys(clusters).filter((name) => waiting?.has(clusterKey(addOn, name)) ?? true);
    if (names.length === 0) return [];
    return [
      {
        addOn,
        clusters: names.sort(compareText),
        gate: promotedGate(gate, gates[gate] ?? {}),
        isByHub: placement !== undefined,
      },
    ];
  });
}

function promotedGate(name: string, { progressDeadline, maxFailures }: ReleaseGate): PromotedGate {
  const deadline = progressDeadline === undefined ? undefined : parseGoDuration(progressDeadline);
  return {
    name,
    ...(typeof deadline === 'number' && { deadline }),
    ...(maxFailures !== undefined && { maxFailures }),
  };
}

function soakOf({ minSuccessTime = '0s' }: ReleaseGate = {}): number {
  const time = parseGoDuration(minSuccessTime);
  return typeof time === 'number' ? time : 0;
}

import { getOrInsertComputed } from '../../collections/get-or-insert.ts';
import type { PlacementRollout } from './placement-rollout.ts';
import type { Progression } from './progression.ts';
import type { Cause, Wave, WavePart } from './wave.ts';

/** Groups the clusters of a wave into parts. */
export class WaveBuilder {
  readonly #parts = new Map<string, WavePart & { clusters: string[] }>();
  readonly #clusters = new Set<string>();

  /** Adds a cluster. Its first cause counts. */
  add(cluster: string, cause: Cause, placementRollout?: PlacementRollout): void {
    if (this.#clusters.has(cluster)) return;
    this.#clusters.add(cluster);
    const group = placementRollout?.groupOf(cluster);
    const placement = placementRollout?.node.placement;
    const key = JSON.stringify([placementRollout?.node.position ?? null, group?.index ?? null, cause]);
    const part = getOrInsertComputed(this.#parts, key, () => ({
      cause,
      ...(placement === undefined ? {} : { placement }),
      ...(group === undefined ? {} : { group }),
      clusters: [],
    }));
    part.clusters.push(cluster);
  }

  /** Returns the wave, or undefined if no cluster changes. */
  wave(after: number, progressions: readonly Progression[]): Wave | undefined {
    const parts = [...this.#parts.values()];
    if (parts.length === 0) return undefined;
    for (const part of parts) part.clusters.sort();
    return { after, clusters: parts.flatMap(({ clusters }) => clusters).sort(), parts, progressions };
  }
}

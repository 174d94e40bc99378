import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { PlacementRollout } from './placement-rollout.ts';
import type { Progression } from '../progression.ts';
import type { Cause, Wave, WaveGroup, WavePart } from '../wave.ts';

type Part = WavePart & { readonly clusters: string[] };

/** Groups the clusters of a wave into parts. */
export class WaveParts {
  readonly #parts: Part[] = [];
  readonly #partsOf = new Map<PlacementRollout | undefined, Map<WaveGroup | undefined, Part[]>>();
  readonly #clusters = new Set<string>();

  /** Adds a cluster. Its first cause counts. */
  add(cluster: string, cause: Cause, placementRollout?: PlacementRollout): void {
    if (this.#clusters.has(cluster)) return;
    this.#clusters.add(cluster);
    this.#partOf(cause, placementRollout, placementRollout?.groupOf(cluster)).clusters.push(cluster);
  }

  #partOf(cause: Cause, placementRollout: PlacementRollout | undefined, group: WaveGroup | undefined): Part {
    const groups = getOrInsertComputed(
      this.#partsOf,
      placementRollout,
      () => new Map<WaveGroup | undefined, Part[]>(),
    );
    const ofGroup = getOrInsertComputed(groups, group, () => []);
    const existing = ofGroup.find((part) => part.cause === cause);
    if (existing !== undefined) return existing;
    const placement = placementRollout?.node.placement;
    const part = {
      cause,
      ...(placement === undefined ? {} : { placement }),
      ...(group === undefined ? {} : { group }),
      clusters: [],
    };
    ofGroup.push(part);
    this.#parts.push(part);
    return part;
  }

  /** Returns the wave, or undefined if no cluster changes. */
  wave(after: number, progressions: readonly Progression[]): Wave | undefined {
    const parts = this.#parts;
    const [first] = parts;
    if (first === undefined) return undefined;
    for (const part of parts) part.clusters.sort();
    const clusters = parts.length === 1 ? first.clusters : parts.flatMap((part) => part.clusters).sort();
    return { after, earliest: after, clusters, parts, progressions };
  }
}

import type { Lane } from './lane.ts';
import type { Progression } from './progression.ts';

/** Why clusters change in a wave. */
export type Cause =
  /** It is their turn. */
  | 'strategy'
  /** No placement selects them, so that no strategy holds them back. */
  | 'no placement'
  /** A configuration that their ManagedClusterAddOn names itself was edited: that waits for no turn. */
  | 'own configuration';

/** Clusters of a wave that have everything in common. */
export interface WavePart {
  readonly cause: Cause;
  /** `namespace/name` of the Placement that leads them; absent where none does. */
  readonly placement?: string;
  /** The decision group of that placement. */
  readonly group?: WaveGroup;
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

export interface WaveGroup {
  readonly index: number;
  /** Empty where the group has no name. */
  readonly name: string;
  /** Whether all clusters of the group have to succeed before others change. */
  readonly mandatory: boolean;
}

/** The clusters of an add-on that change at the same time. */
export interface Wave {
  /** Milliseconds after the start of the rollout; not before, where soaks and deadlines have to pass. */
  readonly after: number;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  readonly parts: readonly WavePart[];
  /** What the hub reports of the placements that it looked at. */
  readonly progressions: readonly Progression[];
}

/** Puts the clusters of a wave into parts. */
export class WaveBuilder {
  readonly #parts = new Map<string, WavePart & { clusters: string[] }>();
  readonly #clusters = new Set<string>();

  /** The first cause of a cluster counts. */
  add(cluster: string, cause: Cause, lane?: Lane): void {
    if (this.#clusters.has(cluster)) return;
    this.#clusters.add(cluster);
    const group = lane?.groupOf(cluster);
    const placement = lane?.node.placement;
    const key = JSON.stringify([lane?.node.position ?? null, group?.index ?? null, cause]);
    const part = this.#parts.get(key) ?? {
      cause,
      ...(placement === undefined ? {} : { placement }),
      ...(group === undefined ? {} : { group }),
      clusters: [],
    };
    this.#parts.set(key, part);
    part.clusters.push(cluster);
  }

  /** The wave; undefined where nobody changes. */
  wave(after: number, progressions: readonly Progression[]): Wave | undefined {
    const parts = [...this.#parts.values()];
    if (parts.length === 0) return undefined;
    for (const part of parts) part.clusters.sort();
    return { after, clusters: parts.flatMap(({ clusters }) => clusters).sort(), parts, progressions };
  }
}

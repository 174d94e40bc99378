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

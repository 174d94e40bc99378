import type { Progression } from './progression.ts';

/** The reason why clusters change in a wave. */
export type Cause =
  /** The strategy starts them. */
  | 'strategy'
  /** No placement selects them, so no strategy delays them. */
  | 'no placement'
  /** A configuration that their ManagedClusterAddOn names itself was edited. Such an edit waits for no wave. */
  | 'own configuration';

/** Clusters of a wave that have the same cause, placement and group. */
export interface WavePart {
  readonly cause: Cause;
  /** `namespace/name` of the Placement that leads them. Absent if there is none. */
  readonly placement?: string;
  /** The decision group of that placement. */
  readonly group?: WaveGroup;
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

/** The decision group of a Placement that a wave changes. */
export interface WaveGroup {
  readonly index: number;
  /** Empty if the group has no name. */
  readonly name: string;
  /** Whether all clusters of the group have to succeed before others change. */
  readonly mandatory: boolean;
}

/** The clusters of an add-on that change at the same time. */
export interface Wave {
  /** Milliseconds after the start of the rollout until the soaks, each in full, and the deadlines before the wave are over. */
  readonly after: number;
  /** The same if the hub counts every soak from the earliest time that agents make possible. No cluster changes before. */
  readonly earliest: number;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  readonly parts: readonly WavePart[];
  /** The reports of the hub on the placements that it evaluated. */
  readonly progressions: readonly Progression[];
}

/** An add-on on a cluster. */
export interface AddOnOnCluster {
  readonly addOn: string;
  readonly cluster: string;
}

/** An add-on on a cluster whose new content a promotion does not release with the merge. */
export interface HeldCluster extends AddOnOnCluster {
  /** `rolled back`: the content was rolled back, and this cluster does not get it. */
  readonly fate: 'waits' | 'rolled back';
  /** Whether an installation is not held back: the cluster gets the content that its placement has. */
  readonly getsEarlier: boolean;
  /** Whether the add-on leaves the cluster with a release, because others that require it leave first. @default false */
  readonly isUninstall?: boolean;
}

/** What a promotion makes of a change: what waits for it, and what the merge itself releases. */
export interface PromotedChange {
  readonly app: string;
  readonly held: readonly HeldCluster[];
  /** The waves that are still to start: those of the release in progress, then those of the next one. */
  readonly waves: readonly PromotedWave[];
  /** The waves that have started, of the release that delivers the content of the change. */
  readonly released: readonly PromotedWave[];
  /** The hash of the next release. @default - the change begins none, or its hash is unknown */
  readonly next?: string;
  /** The add-ons on clusters that get earlier content of Git with this merge, because it starts their wave. */
  readonly started: readonly AddOnOnCluster[];
}

/** A wave of a promotion. */
export interface PromotedWave {
  /** The hash of its release. */
  readonly release: string;
  /** The earliest start in milliseconds after the merge: the soaks of the waves before it. */
  readonly after: number;
  /** The soak of the wave itself, in milliseconds. */
  readonly soak: number;
  readonly parts: readonly PromotedPart[];
  /** Whether the release delivers the content of the change. One that began before can deliver earlier content. */
  readonly isOfChange: boolean;
}

/** Clusters of a wave that have the same gate. */
export interface PromotedPart {
  readonly addOn: string;
  /** Sorted. */
  readonly clusters: readonly string[];
  readonly gate: PromotedGate;
  /** Whether the hub rolls out within the wave, by the strategy of the placement. */
  readonly isByHub: boolean;
}

/** The limits of a release for some clusters. */
export interface PromotedGate {
  /** Unique in its release. */
  readonly name: string;
  /** The time after which a cluster that is not healthy has failed, in milliseconds. @default - the release waits for it */
  readonly deadline?: number;
  /** The number of failed clusters with which the release goes on. @default - no limit */
  readonly maxFailures?: number;
}

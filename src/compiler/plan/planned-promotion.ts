/** A promotion as a plan reports it: from Git, without the hub. */
export interface PlannedPromotion {
  readonly app: string;
  /** @default - the plan is about one hub */
  readonly hub?: string;
  readonly paused: boolean;
  /** The release in progress. */
  readonly release?: PlannedRelease;
  /** The release that `promote` begins once the content is merged, and the release in progress has ended or gives way. */
  readonly next?: PlannedRelease;
  /** Why the next release is not known before it begins. */
  readonly unknownNext?: string;
  /** Whether clusters keep their content because that of Git was rolled back. */
  readonly isRolledBack: boolean;
  /** The add-ons on clusters, as `addon/cluster`, whose wave the merge starts. */
  readonly started: readonly string[];
  /** Releases that ended, the latest first. */
  readonly history: readonly EndedRelease[];
}

/** A release in a plan. */
export interface PlannedRelease {
  /** The hash that an approval names. */
  readonly hash: string;
  readonly restores?: string;
  /** The number of waves that have started. */
  readonly released: number;
  /** The number of clusters of each wave. An add-on on a cluster counts once. */
  readonly waves: readonly number[];
  /** What opened the last wave. */
  readonly openedBy: readonly string[];
  /** What the next step needs. */
  readonly waitsFor: readonly string[];
}

/** A release that ended, and how. */
export interface EndedRelease {
  readonly hash: string;
  readonly source: string;
  readonly result: 'completed' | 'superseded' | 'rolled back' | 'restored';
}

/**
 * What happens to Applications of an ApplicationSet on a cluster, most severe first. `deleted`: with what they deployed. `detached`:
 * deleted without what they deployed. `left`: they deploy to another cluster, and leave what is on this one. `kept`: the
 * ApplicationSet no longer generates them, and its sync policy does not delete them. `stale`: they should change, and its
 * sync policy does not update them.
 */
export const applicationFates = [
  'deleted',
  'detached',
  'left',
  'kept',
  'changed',
  'stale',
  'created',
] as const;

/** What happens to an Application of an ApplicationSet. */
export type ApplicationFate = (typeof applicationFates)[number];

/** Applications of an ApplicationSet to which the same happens on each cluster of a group. */
export interface ApplicationChange {
  readonly fate: ApplicationFate;
  /** The number of Applications on each cluster. */
  readonly count: number;
  /** Their names on the first cluster of the group, sorted. */
  readonly names: readonly string[];
  /** When Argo CD syncs created and changed Applications. Absent without a progressive sync. */
  readonly steps?: ApplicationSteps;
}

/** The steps of a progressive sync that have Applications. */
export interface ApplicationSteps {
  /** The number of steps. */
  readonly of: number;
  /** The number of Applications on each cluster, by step. Those without a step are last: Argo CD does not sync them by itself. */
  readonly counts: readonly { readonly step?: number; readonly count: number }[];
}

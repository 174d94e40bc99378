/** The progress of a cluster towards its desired configuration. */
export type Progress = 'ToApply' | 'Progressing' | 'Succeeded' | 'Failed';

/** Returns whether a cluster has the configuration and is not ready. */
export function isStarted(progress: Progress): boolean {
  return progress === 'Progressing' || progress === 'Failed';
}

export interface ClusterProgress {
  readonly cluster: string;
  readonly progress: Progress;
  /** The start time in milliseconds since the epoch. Absent if the hub does not know it. */
  readonly since?: number;
}

/**
 * The actions of a strategy, at one point in time, on the clusters whose rollout it leads. A cluster is rolling if it changes
 * now, is in progress, or still soaks. Rolling clusters count against the concurrency limit of the strategy.
 */
export interface Step {
  /** The clusters that change now. */
  readonly starting: readonly string[];
  /** Clusters in progress or soaking that are rolling now and were not before. */
  readonly joining: readonly string[];
  /** The number of rolling clusters, including those that start. */
  readonly rolling: number;
  /** The number of rolling clusters that have succeeded and that have failed, as far as the hub's report counts them. */
  readonly soaking: number;
  readonly failing: number;
  /** The number of clusters that are in progress after their deadline. */
  readonly timedOut: number;
  /** Whether more clusters failed than the strategy allows. */
  readonly breached: boolean;
  /** Clusters of another placement, or of none, for which the strategy waits as it does for its own. */
  readonly foreign: readonly string[];
  /**
   * The next time at which the result changes without other events: the end of a soak, or a deadline. Absent if it never does.
   */
  readonly due?: number;
}

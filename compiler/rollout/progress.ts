/** How far a cluster is with the configuration that it should have. */
export type Progress = 'ToApply' | 'Progressing' | 'Succeeded' | 'Failed';

export interface ClusterProgress {
  readonly cluster: string;
  readonly progress: Progress;
  /** Since when, in milliseconds since the epoch; absent where the hub does not know. */
  readonly since?: number;
}

/**
 * What a strategy does at one moment with the clusters whose rollout it leads. Clusters roll that change now, that are
 * under way, or that still soak: they fill the places of the strategy.
 */
export interface Step {
  /** The clusters that change now. */
  readonly starting: readonly string[];
  /** Clusters under way or soaking that roll now and did not before. */
  readonly joining: readonly string[];
  /** How many clusters roll, those that start among them. */
  readonly rolling: number;
  /** How many of those that roll have succeeded, and how many have failed, as far as the hub's report counts them. */
  readonly soaking: number;
  readonly failing: number;
  /** How many clusters are found to be under way past their deadline. */
  readonly timedOut: number;
  /** Whether more clusters failed than the strategy bears. */
  readonly breached: boolean;
  /** Clusters of another placement, or of none, for which the strategy waits like for its own. */
  readonly foreign: readonly string[];
  /** When time alone next changes the answer: the end of a soak, a deadline. Absent where it never does. */
  readonly due?: number;
}

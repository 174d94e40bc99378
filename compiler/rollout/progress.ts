/** How far a cluster is with the configuration that it should have. */
export type Progress = 'ToApply' | 'Progressing' | 'Succeeded' | 'Failed';

export interface ClusterProgress {
  readonly cluster: string;
  readonly progress: Progress;
  /** Since when, in milliseconds since the epoch; absent where the hub does not know. */
  readonly since?: number;
}

/** What a strategy does at one moment. */
export interface Step {
  /** Clusters that change now, are changing, or still soak: they fill the places of the strategy. */
  readonly rolling: readonly ClusterProgress[];
  /** Clusters whose deadline is over. */
  readonly timedOut: readonly string[];
  /** Whether more clusters failed than the strategy bears. */
  readonly breached: boolean;
  /** When time alone next changes the answer: the end of a soak, a deadline. Absent where it never does. */
  readonly due?: number;
}

/** Collects a step while clusters are looked at one by one. */
export class Tally {
  readonly rolling: ClusterProgress[] = [];
  readonly timedOut: string[] = [];
  #due = Infinity;

  /** The cluster keeps its place until a moment, which is `Infinity` where only the cluster itself can end it. */
  keep(cluster: ClusterProgress, until: number): void {
    this.rolling.push(cluster);
    this.#due = Math.min(this.#due, until);
  }

  start(cluster: string): void {
    this.rolling.push({ cluster, progress: 'ToApply' });
  }

  step(breached: boolean): Step {
    const { rolling, timedOut } = this;
    return { rolling, timedOut, breached, ...(this.#due === Infinity ? {} : { due: this.#due }) };
  }
}

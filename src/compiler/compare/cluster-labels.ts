import { addToGroup } from '../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { Resolution } from '../resolve.ts';

/** The number of clusters that have a value of a label. */
export interface LabelCount {
  /** The label's key. */
  readonly by: string;
  /** Empty for the clusters without the label. */
  readonly value: string;
  /** The value that the clusters have in the base, if it is different. */
  readonly was?: string;
  readonly clusters: number;
}

/** The values of one label, with the clusters that have them. */
export interface LabelValues {
  readonly by: string;
  /** By value. */
  readonly values: readonly LabelledClusters[];
}

/** The clusters with one value of a label. */
export interface LabelledClusters {
  readonly value: string;
  readonly was?: string;
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

interface LabelValue {
  readonly value: string;
  readonly was?: string;
}

interface States {
  readonly base: Resolution;
  readonly head: Resolution;
}

/** The labels by which a plan counts, per cluster. */
export class ClusterLabels {
  readonly #by: readonly string[];
  readonly #apps: readonly States[];
  readonly #values = new Map<string, readonly LabelValue[]>();
  /** One object per value, so that clusters are grouped by identity. */
  readonly #distinct = new Map<string, LabelValue>();

  constructor(apps: readonly States[], by: readonly string[]) {
    this.#apps = apps;
    this.#by = by;
  }

  get isEmpty(): boolean {
    return this.#by.length === 0;
  }

  /**
   * Returns the values of some clusters. Labels are in the order in which they were requested, values with more clusters come
   * first.
   */
  counts(clusters: readonly string[]): LabelCount[] {
    const counts = this.#by.map(() => new Map<LabelValue, number>());
    for (const cluster of clusters) {
      const values = this.#valuesOf(cluster);
      for (const [label, ofLabel] of counts.entries()) {
        const value = values[label];
        if (value !== undefined) ofLabel.set(value, (ofLabel.get(value) ?? 0) + 1);
      }
    }
    return counts.flatMap((ofLabel, label) =>
      Array.from(ofLabel, ([value, named]) => ({
        by: this.#by[label] ?? '',
        ...value,
        clusters: named,
      })).sort((a, b) => b.clusters - a.clusters || compareUtf8(a.value, b.value)),
    );
  }

  /** Returns the clusters by value, for each label. */
  values(clusters: readonly string[]): LabelValues[] {
    return this.#by.map((by, index) => ({
      by,
      values: this.#grouped(clusters, index).sort((a, b) => compareUtf8(a.value, b.value)),
    }));
  }

  #grouped(clusters: readonly string[], label: number): (LabelValue & { readonly clusters: string[] })[] {
    const groups = new Map<LabelValue, string[]>();
    for (const cluster of clusters) {
      const value = this.#valuesOf(cluster)[label];
      if (value !== undefined) addToGroup(groups, value, cluster);
    }
    return Array.from(groups, ([value, named]) => ({ ...value, clusters: named }));
  }

  #valuesOf(cluster: string): readonly LabelValue[] {
    let values = this.#values.get(cluster);
    if (values === undefined) this.#values.set(cluster, (values = this.#read(cluster)));
    return values;
  }

  #read(cluster: string): readonly LabelValue[] {
    const [before, after] = [this.#clusterIn('base', cluster), this.#clusterIn('head', cluster)];
    return this.#by.map((by) => {
      const was = before?.metadata.labels?.[by] ?? '';
      const is = after?.metadata.labels?.[by] ?? '';
      if (after === undefined) return this.#value(was);
      return before === undefined || before === after || was === is ? this.#value(is) : this.#value(is, was);
    });
  }

  #clusterIn(side: keyof States, cluster: string): ManagedClusterV1 | undefined {
    for (const app of this.#apps) {
      const managedCluster = app[side].decisions.clusters.get(cluster);
      if (managedCluster !== undefined) return managedCluster;
    }
    return undefined;
  }

  #value(value: string, was?: string): LabelValue {
    // Values of labels contain no line break.
    const key = was === undefined ? value : `${value}\n${was}`;
    return getOrInsertComputed(this.#distinct, key, () => ({ value, ...(was !== undefined && { was }) }));
  }
}

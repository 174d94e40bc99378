import type { ManagedClusterV1, ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';

type StringMap = Readonly<Record<string, string>>;

const none: StringMap = {};

/** Clusters as ascending indices into a `ClusterIndex`, in the order of their names. */
export type ClusterIndices = Int32Array;

/**
 * The managed clusters of a hub, numbered in the order of their names. All stages of placing work on these numbers. Ties by name
 * then cost nothing, and lists of clusters are plain arrays.
 */
export interface ClusterIndex {
  readonly size: number;
  readonly names: readonly string[];
  readonly clusters: readonly ManagedClusterV1[];
  /** `metadata.labels` by index. */
  readonly labels: readonly StringMap[];
  /** `spec.taints` by index; undefined if there are none. */
  readonly taints: readonly (readonly ManagedClusterV1Taint[] | undefined)[];
  indexOf(name: string): number | undefined;
  /** Returns the claims of a cluster by name, as claim selectors see them. */
  claims(index: number): StringMap;
  /** Returns the names of some clusters, in the given order. */
  namesOf(indices: ArrayLike<number>): string[];
}

/** Numbers clusters. If several have the same name, the first one counts. */
export function indexClusters(clusters: Iterable<ManagedClusterV1>): ClusterIndex {
  const byName = new Map<string, ManagedClusterV1>();
  for (const cluster of clusters) {
    const { name = '' } = cluster.metadata;
    if (!byName.has(name)) byName.set(name, cluster);
  }
  const sorted = [...byName].sort(([a], [b]) => compareUtf8(a, b));
  const names = sorted.map(([name]) => name);
  const ordered = sorted.map(([, cluster]) => cluster);
  const positions = new Map(names.map((name, index) => [name, index]));
  const claims: StringMap[] = [];
  return {
    size: names.length,
    names,
    clusters: ordered,
    labels: ordered.map(({ metadata }) => metadata.labels ?? none),
    taints: ordered.map(({ spec }) => ((spec?.taints ?? []).length === 0 ? undefined : spec?.taints)),
    indexOf: (name) => positions.get(name),
    claims: (index) => (claims[index] ??= claimsOf(ordered[index])),
    namesOf: (indices) => {
      const values: string[] = [];
      for (let position = 0; position < indices.length; position++)
        values.push(names[indices[position] ?? 0] ?? '');
      return values;
    },
  };
}

/** As OCM's GetClusterClaims: if several claims have the same name, the last one counts. */
function claimsOf(cluster: ManagedClusterV1 | undefined): StringMap {
  const claims = cluster?.status?.clusterClaims ?? [];
  return Object.fromEntries(claims.map(({ name = '', value = '' }) => [name, value]));
}

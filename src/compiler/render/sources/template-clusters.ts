import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { Configuration } from '../../configure/resolved-add-on.ts';
import type { Inventory } from '../../model/inventory.ts';
import { templateOf } from '../inputs.ts';

/** Clusters that report the same version of Kubernetes. */
export interface ClusterVersion {
  /** Such as `v1.31.2`; empty if the clusters report none. */
  readonly version: string;
  /** The names of the clusters, sorted. */
  readonly clusters: readonly string[];
}

/** Returns the names of the clusters that use each AddOnTemplate after all rollouts, by the name of the template. */
export function clustersByTemplate(
  inventory: Inventory,
  configuration: Configuration,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byTemplate = new Map<string, Set<string>>();
  for (const resolved of configuration.values()) {
    if (!resolved.managed || !resolved.template) continue;
    for (const [{ references }, clusters] of resolved.clusters.byConfiguration()) {
      const template = templateOf(resolved, references, inventory);
      if ('error' in template) continue;
      const { name = '' } = template.object.metadata;
      const using = getOrInsertComputed(byTemplate, name, () => new Set());
      for (const cluster of clusters) if (inventory.managedClusters.has(cluster)) using.add(cluster);
    }
  }
  return byTemplate;
}

/** Returns clusters by the version that they report, in the order of their first names. */
export function clusterVersions(
  clusters: Iterable<string>,
  { managedClusters }: Pick<Inventory, 'managedClusters'>,
): readonly ClusterVersion[] {
  const byVersion = new Map<string, string[]>();
  for (const cluster of [...clusters].sort()) {
    const version = managedClusters.get(cluster)?.object.status?.version?.kubernetes ?? '';
    getOrInsertComputed(byVersion, version, () => []).push(cluster);
  }
  return Array.from(byVersion, ([version, names]) => ({ version, clusters: names }));
}

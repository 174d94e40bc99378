import { hostingClusterOf } from '../../ocm/hosted-mode.ts';
import type { ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { Admitted, Inventory } from '../model/inventory.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/** A cluster on which an add-on is in hosted mode. */
export interface HostedCluster {
  readonly cluster: string;
  readonly hosting: string;
  /** The ManagedClusterAddOn, or the ManagedCluster from which the hub and the compiler copy the annotation to it. */
  readonly holder: Admitted<Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>>;
}

const hostedInFleet = new WeakMap<Inventory['managedClusters'], ReadonlySet<string>>();

/** Returns the clusters on which an add-on is in hosted mode, in the order of its clusters. */
export function* hostedClusters(
  { clusters }: Pick<ResolvedAddOn, 'clusters'>,
  inventory: Inventory,
): Iterable<HostedCluster> {
  const annotated = annotatedClusters(inventory);
  // Without annotated clusters, only ManagedClusterAddOns that were written can have the annotation.
  const candidates = annotated.size === 0 ? clusters.individual : clusters;
  for (const { cluster, managedClusterAddOn } of candidates.values()) {
    const holder =
      managedClusterAddOn ?? (annotated.has(cluster) ? inventory.managedClusters.get(cluster) : undefined);
    const hosting = holder && hostingClusterOf(holder.object);
    if (holder !== undefined && hosting !== undefined) yield { cluster, hosting, holder };
  }
}

/** Returns the clusters of the fleet whose add-ons are hosted unless their ManagedClusterAddOn is written. */
function annotatedClusters({ managedClusters }: Inventory): ReadonlySet<string> {
  const cached = hostedInFleet.get(managedClusters);
  if (cached !== undefined) return cached;
  const names = new Set<string>();
  for (const [name, { object }] of managedClusters)
    if (hostingClusterOf(object) !== undefined) names.add(name);
  hostedInFleet.set(managedClusters, names);
  return names;
}

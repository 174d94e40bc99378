import { hostingClusterOf } from '../../ocm/hosted-mode.ts';
import { installedAddOn } from '../configure/installed-add-on.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { Decisions } from '../place/decision.ts';

/** The cluster that hosts an add-on of another cluster. */
export interface HostingCluster {
  readonly name: string;
  /** Only a cluster that is `ready` gets works: the hub has it, and it is not being deleted. */
  readonly state: 'ready' | 'missing' | 'leaving';
}

/** Returns the hosting cluster of an add-on with compiled delivery on a cluster. Undefined if it is not in hosted mode. */
export function hostingClusterOn(
  { name: addOn, delivery }: Pick<ResolvedAddOn, 'name' | 'delivery'>,
  clusterAddOn: Pick<ClusterAddOn, 'cluster' | 'managedClusterAddOn'>,
  { clusters }: Pick<Decisions, 'clusters'>,
): HostingCluster | undefined {
  if (delivery !== 'compiled') return undefined;
  // Git contains the annotations that the hub copies from the cluster.
  const name = hostingClusterOf(installedAddOn(addOn, clusterAddOn, clusters.get(clusterAddOn.cluster)));
  if (name === undefined) return undefined;
  const cluster = clusters.get(name);
  if (cluster === undefined) return { name, state: 'missing' };
  return { name, state: cluster.metadata.deletionTimestamp === undefined ? 'ready' : 'leaving' };
}

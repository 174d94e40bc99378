import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
  ManagedClusterSetV1beta2,
  ManagedClusterV1,
} from '../../../schemas/types.gen.ts';
import {
  autoDiscoveryAnnotation,
  discoveredValue,
  hostingClusterAnnotation,
  hostingManagedByAnnotation,
  installModeAnnotation,
  reportedHostingCluster,
} from '../../ocm/hosted-mode.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Admitted, Inventory } from '../model/inventory.ts';
import type { ManagerProfile } from '../model/manager-profile.ts';
import { clusterSetLabel } from '../place/cluster-sets.ts';
import type { Decisions } from '../place/decision.ts';
import { compileLabelSelector, matchesLabels } from '../place/label-selector.ts';

/** Sets that are no reason to host an add-on of one member on another: every cluster is in one of them. */
const excludedSets: ReadonlySet<string> = new Set(['default', 'global']);

/** What becomes of a ManagedClusterAddOn that leaves its hosting cluster to its manager. */
export type HostingDiscovery =
  | { readonly hosting: string }
  /** The manager creates nothing as long as the reason holds. */
  | { readonly pending: string };

/** The fleet in which hosting clusters are discovered. */
export interface DiscoveryFleet {
  readonly clusters: Decisions['clusters'];
  readonly sets: Inventory['managedClusterSets'];
}

/** Whether a ClusterManagementAddOn lets managers discover hosting clusters. As addon-framework autoDiscoveryEnabled. */
export function enablesDiscovery({ metadata, spec }: ClusterManagementAddOnV1beta1): boolean {
  // The types are those of OCM 1.3, which does not have the field.
  const { hostedModeAutoDiscovery: field } = spec as {
    readonly hostedModeAutoDiscovery?: { readonly mode?: string };
  };
  return (field === undefined ? metadata.annotations?.[autoDiscoveryAnnotation] : field.mode) === 'Enable';
}

/**
 * Whether the manager of an add-on discovers hosting clusters: with addon-framework since 1.4. The manager of an add-on without a
 * profile counts as new as the hub.
 */
export function managerDiscovers(
  profile: Pick<ManagerProfile, 'reads'> | undefined,
  hub: Pick<HubVersion, 'discoversHostingClusters'>,
): boolean {
  return profile === undefined ? hub.discoversHostingClusters : profile.reads === 'last';
}

/** Whether a ManagedClusterAddOn asks for hosted mode and does not name the hosting cluster. */
export function asksForDiscovery({
  metadata: { annotations, deletionTimestamp },
}: Pick<ManagedClusterAddOnV1beta1, 'metadata'>): boolean {
  return (
    annotations?.[installModeAnnotation] === 'Hosted' &&
    (annotations[hostingClusterAnnotation] ?? '') === '' &&
    deletionTimestamp === undefined
  );
}

/** Returns what a manager discovers for an add-on on a cluster. As addon-framework hostedModeResolver. */
export function discoverHosting(cluster: string, { clusters, sets }: DiscoveryFleet): HostingDiscovery {
  const target = clusters.get(cluster);
  const hosting = reportedHostingCluster(target);
  if (target === undefined || hosting === undefined)
    return { pending: `managed cluster ${cluster} has not reported a hosting cluster` };
  const host = clusters.get(hosting);
  if (host === undefined)
    return { pending: `self-reported hosting cluster ${hosting} is not a managed cluster of the hub` };
  if (isDeleted(target) || isDeleted(host))
    return { pending: `managed cluster ${cluster} or hosting cluster ${hosting} is being deleted` };
  if (![...sets.values()].some(({ object }) => hasBoth(object, target, host)))
    return {
      pending: `managed cluster ${cluster} and hosting cluster ${hosting} do not share a ManagedClusterSet`,
    };
  return { hosting };
}

/** A ManagedClusterAddOn after its manager has looked for the hosting cluster. */
export interface DiscoveredAddOn extends Admitted<ManagedClusterAddOnV1beta1> {
  /** The reason why there is none yet. */
  readonly awaitsHosting?: string;
}

/** Returns a ManagedClusterAddOn as its manager leaves it: with the hosting cluster, or with the reason why there is none. */
export function withDiscovery(
  admitted: Admitted<ManagedClusterAddOnV1beta1>,
  discovery: HostingDiscovery,
): DiscoveredAddOn {
  if ('pending' in discovery) return { ...admitted, awaitsHosting: discovery.pending };
  const { object } = admitted;
  const annotations = {
    ...object.metadata.annotations,
    [hostingClusterAnnotation]: discovery.hosting,
    [hostingManagedByAnnotation]: discoveredValue,
  };
  return { ...admitted, object: { ...object, metadata: { ...object.metadata, annotations } } };
}

function isDeleted({ metadata }: ManagedClusterV1): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether a set selects both clusters. As addon-framework managedClusterSetMatchesBoth: it skips a set whose selector it cannot read. */
function hasBoth(set: ManagedClusterSetV1beta2, ...clusters: readonly ManagedClusterV1[]): boolean {
  const { name = '', deletionTimestamp } = set.metadata;
  if (excludedSets.has(name) || deletionTimestamp !== undefined) return false;
  const { selectorType = 'ExclusiveClusterSetLabel', labelSelector } = set.spec?.clusterSelector ?? {};
  const labels = clusters.map(({ metadata }) => metadata.labels ?? {});
  if (selectorType === 'ExclusiveClusterSetLabel')
    return labels.every((each) => each[clusterSetLabel] === name);
  if (selectorType !== 'LabelSelector' || labelSelector === undefined) return false;
  const selector = compileLabelSelector(labelSelector);
  return !('error' in selector) && labels.every((each) => matchesLabels(selector, each));
}

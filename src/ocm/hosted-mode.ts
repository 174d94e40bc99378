import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { addOnNameLabel } from './labels.ts';

/** On a ManagedClusterAddOn: the managed cluster that hosts the agent, in hosted mode. */
export const hostingClusterAnnotation = 'addon.open-cluster-management.io/hosting-cluster-name';

/** On a ManagedClusterAddOn: with the value `Hosted`, its manager may discover the hosting cluster. */
export const installModeAnnotation = 'addon.open-cluster-management.io/install-mode';

/** On a ManagedClusterAddOn: with `discoveredValue`, its manager has written the hosting cluster. */
export const hostingManagedByAnnotation = 'addon.open-cluster-management.io/hosting-cluster-name-managed-by';

export const discoveredValue = 'auto-discovery';

/** On a ClusterManagementAddOn: the same as `spec.hostedModeAutoDiscovery.mode`, for hubs that do not have the field. */
export const autoDiscoveryAnnotation = 'addon.open-cluster-management.io/hosted-mode-auto-discovery';

/** The claim in which a klusterlet reports the cluster that hosts it. */
export const hostingClusterClaim = 'hosting-cluster.open-cluster-management.io';

/** On a manifest, as an annotation or a label: the cluster that gets it in hosted mode, `managed`, `hosting` or `none`. */
export const manifestLocationKey = 'addon.open-cluster-management.io/hosted-manifest-location';

/** On a work for a hosting cluster: the managed cluster of the add-on. Its namespace is that of the hosting cluster. */
export const addOnNamespaceLabel = 'open-cluster-management.io/addon-namespace';

/** Returns the cluster that hosts an add-on. Undefined if it is not in hosted mode. As addon-framework GetHostedModeInfo. */
export function hostingClusterOf({ metadata }: Pick<KubernetesObject, 'metadata'>): string | undefined {
  return metadata.annotations?.[hostingClusterAnnotation];
}

/** Whether the manager of an add-on has written its hosting cluster. */
export function isDiscovered({ metadata }: Pick<KubernetesObject, 'metadata'>): boolean {
  return metadata.annotations?.[hostingManagedByAnnotation] === discoveredValue;
}

/** Returns the hosting cluster that the klusterlet of a cluster reports. As addon-framework selfReportedHostingCluster. */
export function reportedHostingCluster(
  cluster: { readonly status?: { readonly clusterClaims?: readonly ClusterClaim[] } } | undefined,
): string | undefined {
  const claim = cluster?.status?.clusterClaims?.find(({ name }) => name === hostingClusterClaim);
  return claim?.value === '' ? undefined : claim?.value;
}

interface ClusterClaim {
  readonly name?: string;
  readonly value?: string;
}

/** Returns the start of the names of works for the cluster that hosts an add-on. As addon-framework DeployHostingWorkNamePrefix. */
export function hostingWorkPrefix(addOn: string, cluster: string): string {
  return `addon-${addOn}-deploy-hosting-${cluster}-`;
}

/** Returns the metadata of a work of an add-on, without annotations and owners. As addon-framework newAddonWorkObjectMeta. */
export function workMetadata(
  addOn: string,
  cluster: string,
  hostingCluster: string | undefined,
  index: number,
): { readonly name: string; readonly namespace: string; readonly labels: Readonly<Record<string, string>> } {
  const labels = { [addOnNameLabel]: addOn };
  if (hostingCluster === undefined)
    return { name: `addon-${addOn}-deploy-${index}`, namespace: cluster, labels };
  return {
    name: `${hostingWorkPrefix(addOn, cluster)}${index}`,
    namespace: hostingCluster,
    labels: hostingCluster === cluster ? labels : { ...labels, [addOnNamespaceLabel]: cluster },
  };
}

/** A condition without its time. */
interface ValidityCondition {
  readonly type: 'HostingClusterValidity';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Returns the condition of an add-on whose hosting cluster is not discovered yet. As addon-framework setAutoDiscoveryPending. */
export function discoveryPending(message: string): ValidityCondition {
  return {
    type: 'HostingClusterValidity',
    status: 'False',
    reason: 'HostingClusterAutoDiscoveryPending',
    message,
  };
}

/** Returns the condition that reports whether the hub has the hosting cluster. As addon-framework hostedSyncer. */
export function hostingClusterValidity(hostingCluster: string, isManaged: boolean): ValidityCondition {
  const isNot = isManaged ? 'is' : 'is not';
  return {
    type: 'HostingClusterValidity',
    status: isManaged ? 'True' : 'False',
    reason: isManaged ? 'HostingClusterValid' : 'HostingClusterInvalid',
    message: `hosting cluster ${hostingCluster} ${isNot} a managed cluster of the hub`,
  };
}

import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { addOnNameLabel } from './labels.ts';

/** On a ManagedClusterAddOn: the managed cluster that hosts the agent, in hosted mode. */
export const hostingClusterAnnotation = 'addon.open-cluster-management.io/hosting-cluster-name';

/** On a manifest, as an annotation or a label: the cluster that gets it in hosted mode, `managed`, `hosting` or `none`. */
export const manifestLocationKey = 'addon.open-cluster-management.io/hosted-manifest-location';

/** On a work for a hosting cluster: the managed cluster of the add-on. Its namespace is that of the hosting cluster. */
export const addOnNamespaceLabel = 'open-cluster-management.io/addon-namespace';

/** Returns the cluster that hosts an add-on. Undefined if it is not in hosted mode. As addon-framework GetHostedModeInfo. */
export function hostingClusterOf({ metadata }: Pick<KubernetesObject, 'metadata'>): string | undefined {
  return metadata.annotations?.[hostingClusterAnnotation];
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

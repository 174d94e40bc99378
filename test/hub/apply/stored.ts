import { clusterSetLabel } from '../../../src/compiler/place/cluster-sets.ts';
import type { KubernetesObject, ObjectMeta } from '../../../src/base/objects/object-meta.ts';

/** Metadata that the API server keeps of every object. */
const serversMetadata: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'uid',
]);

/** Where Argo CD notes which application an object belongs to. */
export const trackingAnnotation = 'argocd.argoproj.io/tracking-id';

/** A stored object without what Argo CD and a hub add to everything that is applied. */
export function asEmitted({ apiVersion, kind, metadata, ...content }: KubernetesObject): KubernetesObject {
  const { status: _, ...rest } = content;
  const kept: ObjectMeta = withoutTracking(
    Object.fromEntries(Object.entries(metadata).filter(([field]) => !serversMetadata.has(field))),
  );
  switch (kind) {
    case 'Namespace':
      return { apiVersion, kind, metadata: withoutNameLabel(kept), ...withoutFinalizers(rest) };
    case 'ManagedCluster':
      return { apiVersion, kind, metadata: withoutRegistration(kept), ...withoutHubTaints(rest) };
    case 'ManagedClusterAddOn':
      return { apiVersion, kind, metadata: withoutAddOn(kept), ...rest };
    case 'ClusterManagementAddOn':
      return { apiVersion, kind, metadata: kept, ...withoutEmptyConfiguration(rest) };
    default:
      return { apiVersion, kind, metadata: kept, ...rest };
  }
}

function withoutTracking({ annotations, ...metadata }: ObjectMeta): ObjectMeta {
  const { [trackingAnnotation]: _, ...others } = annotations ?? {};
  return { ...metadata, ...(Object.keys(others).length === 0 ? {} : { annotations: others }) };
}

/** The API server labels every namespace with its name. */
function withoutNameLabel({ labels, ...metadata }: ObjectMeta): ObjectMeta {
  const { 'kubernetes.io/metadata.name': _, ...others } = labels ?? {};
  return { ...metadata, ...(Object.keys(others).length === 0 ? {} : { labels: others }) };
}

/** The API server notes in every namespace that its contents go before it. */
function withoutFinalizers({ spec, ...rest }: Readonly<Record<string, unknown>>): object {
  return JSON.stringify(spec) === '{"finalizers":["kubernetes"]}' ? rest : { ...rest, spec };
}

/** The addon-manager makes every ManagedClusterAddOn go with its ClusterManagementAddOn. */
function withoutAddOn({ ownerReferences = [], ...metadata }: ObjectMeta): ObjectMeta {
  const others = ownerReferences.filter(
    ({ kind, name }) => kind !== 'ClusterManagementAddOn' || name !== metadata.name,
  );
  return { ...metadata, ...(others.length === 0 ? {} : { ownerReferences: others }) };
}

/** Controllers of OCM 1.3 write statuses in v1beta1, and the conversion back to v1alpha1 adds the empty field. */
function withoutEmptyConfiguration({ spec, ...rest }: Readonly<Record<string, unknown>>): object {
  const { addOnConfiguration, ...others } = spec as { readonly addOnConfiguration?: object };
  return { ...rest, spec: JSON.stringify(addOnConfiguration) === '{}' ? others : spec };
}

/**
 * The registration controller cleans up after a cluster, notes when it let it in, and labels it with how its add-ons are: where
 * it is silent only after minutes, which a slow machine takes for all apps. The webhook labels a cluster without a set with the default one.
 */
function withoutRegistration({ annotations, finalizers = [], labels, ...metadata }: ObjectMeta): ObjectMeta {
  const { 'open-cluster-management.io/automatically-accepted-on': _, ...noted } = annotations ?? {};
  const others = finalizers.filter((name) => !name.startsWith('cluster.open-cluster-management.io/'));
  const own = Object.entries(labels ?? {}).filter(
    ([label, value]) =>
      !label.startsWith('feature.open-cluster-management.io/addon-') &&
      !(label === clusterSetLabel && value === 'default'),
  );
  return {
    ...metadata,
    ...(own.length === 0 ? {} : { labels: Object.fromEntries(own) }),
    ...(Object.keys(noted).length === 0 ? {} : { annotations: noted }),
    ...(others.length === 0 ? {} : { finalizers: others }),
  };
}

/** It taints a cluster that is silent. */
function withoutHubTaints({ spec, ...rest }: Readonly<Record<string, unknown>>): object {
  const { taints = [], ...others } = spec as { readonly taints?: readonly { readonly key: string }[] };
  const own = taints.filter(({ key }) => !key.startsWith('cluster.open-cluster-management.io/'));
  return { ...rest, spec: own.length === 0 ? others : { ...others, taints: own } };
}

import type { KubernetesObject, OwnerReference } from '../schemas/object-meta.ts';
import type {
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1ConfigReference,
  ManagedClusterAddOnV1beta1,
  ManagedClusterV1,
} from '../schemas/types.gen.ts';
import type { ClusterAddOn, ConfigReference, ResolvedAddOn } from './configure/configuration.ts';
import { forHub, type TargetHub } from './for-hub.ts';
import type { ClusterRendering } from './render/rendering.ts';
import type { Resolution } from './resolve.ts';

const annotationPrefix = 'addon.open-cluster-management.io';

/**
 * The objects that the hub holds once it is still, in the order in which it makes them: Placements with their status and
 * decisions, ClusterManagementAddOns with theirs, ManagedClusterAddOns each with its works and permissions. What chance
 * decides (uids, times) is left out. They are made one at a time: all works of a large fleet need not be in memory at once.
 */
export function* hubObjects(resolution: Resolution, target: TargetHub): Generator<KubernetesObject> {
  const { inventory, decisions, configuration, rendering } = resolution;
  for (const { placement, status, objects } of decisions.decisions.values()) {
    yield forHub(asObject({ ...placement.object, status }), target);
    for (const object of objects) yield asObject(object);
  }
  for (const addOn of configuration.values()) {
    const written = inventory.clusterManagementAddOns.get(addOn.name);
    if (written === undefined) continue;
    yield forHub(asObject(withStatus(written.object, addOn)), target);
    for (const cluster of addOn.clusters.values()) {
      const rendered = rendering.clusterAddOn(addOn.name, cluster.cluster);
      const object = managedClusterAddOn(addOn, cluster, decisions.clusters.get(cluster.cluster), rendered);
      yield forHub(asObject(object), target);
      for (const work of rendered?.works ?? []) yield asObject(work);
      for (const binding of rendered?.roleBindings ?? []) yield asObject(binding);
    }
    for (const binding of rendering.sharedBindings(addOn.name)) yield asObject(binding);
  }
}

function withStatus(
  object: ClusterManagementAddOnV1beta1,
  addOn: ResolvedAddOn,
): ClusterManagementAddOnV1beta1 {
  return {
    ...object,
    status: {
      defaultConfigReferences: addOn.defaultReferences.map(shown),
      installProgressions: addOn.progressions.map(({ namespace, name, references }) => ({
        namespace,
        name,
        configReferences: references.map(shown),
      })),
    },
  };
}

/** As OCM's addonmanagement makes it, or as the user wrote it, with the owner that OCM's addonowner sees to. */
function managedClusterAddOn(
  addOn: ResolvedAddOn,
  { cluster, written, effective }: ClusterAddOn,
  managedCluster: ManagedClusterV1 | undefined,
  rendered: ClusterRendering | undefined,
): Omit<ManagedClusterAddOnV1beta1, 'status'> & { readonly status: object } {
  const base: ManagedClusterAddOnV1beta1 = written?.object ?? {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ManagedClusterAddOn',
    metadata: { name: addOn.name, namespace: cluster, ...prefixedAnnotations(managedCluster) },
    spec: {},
  };
  // Conditions that the hub is yet to set have no times.
  const status = {
    ...(rendered?.status ?? base.status),
    configReferences: effective.references.map(shown),
  };
  return {
    ...base,
    metadata: {
      ...base.metadata,
      ...(addOn.managed ? { ownerReferences: owners(base, addOn.name) } : {}),
      ...withFinalizers(base, rendered?.finalizers ?? []),
    },
    status,
  };
}

/** As OCM's addonmanagement: every annotation of the cluster that starts so, slash or not. */
function prefixedAnnotations(cluster: ManagedClusterV1 | undefined): {
  annotations?: Record<string, string>;
} {
  const kept = Object.entries(cluster?.metadata.annotations ?? {}).filter(([key]) =>
    key.startsWith(annotationPrefix),
  );
  return kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) };
}

function withFinalizers(
  { metadata }: ManagedClusterAddOnV1beta1,
  added: readonly string[],
): { finalizers?: readonly string[] } {
  const finalizers = [...new Set([...(metadata.finalizers ?? []), ...added])];
  return finalizers.length === 0 ? {} : { finalizers };
}

function owners({ metadata }: ManagedClusterAddOnV1beta1, addOn: string): readonly OwnerReference[] {
  const owner: OwnerReference = {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ClusterManagementAddOn',
    name: addOn,
    controller: true,
    blockOwnerDeletion: true,
  };
  const others = (metadata.ownerReferences ?? []).filter(
    ({ kind, name }) => kind !== owner.kind || name !== addOn,
  );
  return [...others, owner];
}

function shown({
  group,
  resource,
  namespace,
  name,
  specHash,
}: ConfigReference): ClusterManagementAddOnV1beta1ConfigReference {
  return {
    group,
    resource,
    desiredConfig: { name, ...(namespace === undefined ? {} : { namespace }), specHash },
  };
}

/** API types are KubernetesObjects whose fields are known. */
function asObject<T extends Named>(object: T): KubernetesObject & T {
  return { ...object };
}

type Named = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>;

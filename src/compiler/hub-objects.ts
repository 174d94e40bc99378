import type { KubernetesObject, OwnerReference } from '../base/objects/object-meta.ts';
import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
  ManagedClusterV1,
} from '../../schemas/types.gen.ts';
import type { ClusterAddOn, ResolvedAddOn } from './configure/resolved-add-on.ts';
import { installedAddOn } from './configure/installed-add-on.ts';
import { compiledAddOn } from './deliver/compiled-add-on.ts';
import { compiledManagedClusterAddOn } from './deliver/compiled-managed-cluster-add-on.ts';
import { withHostingHooks } from './deliver/hosting-hooks.ts';
import { isTemplate } from '../ocm/referent.ts';
import { isKnownByDecision } from './place/external-placements.ts';
import { forHub, type TargetHub } from './admit/conversion/for-hub.ts';
import { replicaSetWorks } from './render/works/replica-set-works.ts';
import type { ClusterRendering } from './render/render-result.ts';
import type { Resolution } from './resolve.ts';
import { freshState, type ClusterState } from './rollout/simulation/cluster-state.ts';
import type { Rollout } from './rollout/simulation/simulate-rollout.ts';
import {
  configReferences,
  installProgressions,
  shownReference,
  withProgressing,
} from './rollout/rollout-status.ts';

/**
 * Yields the objects on the hub after all rollouts are complete, in the order in which the hub creates them: Placements with
 * their status and decisions, ClusterManagementAddOns with their status, ManagedClusterAddOns each with its works, its permissions
 * and the objects from which its agent gets a token, and the works of ManifestWorkReplicaSets. Random values (uids, times) are left
 * out. The objects are created one at a time, so that the works of a large fleet need not all be in memory.
 */
export function* hubObjects(resolution: Resolution, target: TargetHub): Generator<KubernetesObject> {
  const { inventory, decisions, configuration, rollouts, rendering } = resolution;
  for (const decision of decisions.byPlacement.values()) {
    const { placement, status, objects } = decision;
    // Only the decisions are known, not the Placement itself.
    if (!isKnownByDecision(decision)) yield forHub(asObject({ ...placement.object, status }), target);
    for (const object of objects) yield asObject(object);
  }
  for (const addOn of configuration.values()) {
    const source = inventory.clusterManagementAddOns.get(addOn.name);
    if (source === undefined) continue;
    const rollout = rollouts.get(addOn.name);
    const status =
      addOn.delivery === 'compiled' ? compiledStatus(addOn) : statusOf(source.object, addOn, rollout);
    const object =
      addOn.delivery === 'compiled'
        ? compiledAddOn(asObject(source.object), addOn.clusters.keys())
        : source.object;
    yield forHub(asObject({ ...object, status }), target);
    for (const cluster of addOn.clusters.values()) {
      const rendered = rendering.clusterAddOn(addOn.name, cluster.cluster);
      const state = rollout?.reached.get(cluster.cluster) ?? freshState;
      // With compiled delivery, Git contains the copied annotations.
      const copies = addOn.delivery === 'compiled' || target.hub.copiesClusterAnnotations;
      const managedCluster = copies ? decisions.clusters.get(cluster.cluster) : undefined;
      const object = managedClusterAddOn(addOn, cluster, managedCluster, rendered, state);
      yield forHub(asObject(object), target);
      for (const work of withHostingHooks(rendered)) yield asObject(work);
      for (const binding of rendered?.roleBindings ?? []) yield asObject(binding);
      yield* rendered?.tokenObjects ?? [];
    }
    for (const binding of rendering.sharedBindings(addOn.name)) yield asObject(binding);
  }
  for (const work of replicaSetWorks(inventory, decisions, target.hub)) yield asObject(work);
}

function statusOf(
  object: ClusterManagementAddOnV1beta1,
  addOn: ResolvedAddOn,
  rollout: Rollout | undefined,
): object {
  return {
    defaultConfigReferences: addOn.defaultReferences.map(shownReference),
    installProgressions: installProgressions(addOn, object, rollout),
  };
}

/**
 * Returns the status that OCM's cmainstallprogression writes for an add-on that the hub does not manage. No manager sets the
 * hashes.
 */
function compiledStatus({ defaultReferences }: ResolvedAddOn): object {
  const others = defaultReferences.filter((reference) => !isTemplate(reference));
  return {
    defaultConfigReferences: others.map((reference) => shownReference({ ...reference, specHash: '' })),
  };
}

/** Returns the object as OCM's addonmanagement creates it, or as the user wrote it, with the owner that OCM's addonowner sets. */
function managedClusterAddOn(
  addOn: ResolvedAddOn,
  clusterAddOn: ClusterAddOn,
  managedCluster: ManagedClusterV1 | undefined,
  rendered: ClusterRendering | undefined,
  state: ClusterState,
): Omit<ManagedClusterAddOnV1beta1, 'status'> & { readonly status: object } {
  const base =
    addOn.delivery === 'compiled'
      ? compiledManagedClusterAddOn(addOn.name, clusterAddOn, managedCluster, rendered)
      : installedAddOn(addOn.name, clusterAddOn, managedCluster);
  // Conditions that the hub has not set yet have no times.
  const before = rendered?.status ?? base.status;
  const hasWorks = !addOn.template || (rendered?.works ?? []).length > 0;
  const status = {
    ...before,
    conditions: withProgressing(before?.conditions ?? [], state, hasWorks),
    configReferences: configReferences(state),
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

/** API types are KubernetesObjects with known fields. */
function asObject<T extends Named>(object: T): KubernetesObject & T {
  return { ...object };
}

type Named = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>;

import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type {
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
} from '../../../schemas/types.gen.ts';
import {
  clustersAnnotation,
  defaultTemplateAnnotation,
  deliveryAnnotation,
  healthAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import type { ApiObject, ObjectKey, Stored } from '../../client/object.ts';
import { isTemplate, type ConfigKind } from '../../ocm/referent.ts';
import { isManagedByAddonManager } from '../../ocm/lifecycle.ts';

/** How the health of an add-on is determined: from its works, or by a Lease that its agent renews. */
export type HealthMode = 'works' | 'lease';

/** An add-on that the companion manages, on one cluster. */
export interface ManagedOnCluster {
  readonly key: ObjectKey;
  readonly addOn: Stored<ClusterManagementAddOnV1alpha1>;
  readonly onCluster: Stored<ManagedClusterAddOnV1alpha1>;
  readonly cluster: Stored<ManagedClusterV1>;
}

/**
 * Whether the companion manages an add-on: those with compiled delivery, and those that the settings name. Never
 * those that the hub's addon-manager manages: two writers would write the same fields.
 */
export function isCompanionManaged(
  { metadata }: Stored<ClusterManagementAddOnV1alpha1>,
  named: readonly string[],
): boolean {
  if (isManagedByAddonManager({ metadata })) return false;
  return isCompiled({ metadata }) || named.includes(metadata.name);
}

/** Returns the reason why an add-on that the settings name is not managed; undefined if it is. */
export function whyUnmanaged(addOn: Stored<ClusterManagementAddOnV1alpha1> | undefined): string | undefined {
  if (addOn === undefined) return 'there is no ClusterManagementAddOn of that name';
  if (isCompanionManaged(addOn, [addOn.metadata.name])) return undefined;
  return "the hub's addon-manager manages it, since it has no lifecycle: self";
}

/** Whether the compiler wrote the objects that the object delivers to clusters. */
export function isCompiled({ metadata }: Pick<ApiObject, 'metadata'>): boolean {
  return metadata.annotations?.[deliveryAnnotation] === 'compiled';
}

const listedClusters = new WeakMap<object, ReadonlySet<string>>();

/**
 * Whether the compiler wrote a ManagedClusterAddOn and no longer does: the add-on must be removed from that cluster. If the hub
 * delivers the add-on now, the object would keep the configurations that it names. Engines such as Argo CD never prune an object
 * that has an owner, so the companion does it.
 */
export function isNoLongerCompiled(
  addOn: Stored<ClusterManagementAddOnV1alpha1>,
  onCluster: Stored<ManagedClusterAddOnV1alpha1>,
): boolean {
  if (!isCompiled(onCluster)) return false;
  if (!isCompiled(addOn)) return true;
  const listed = addOn.metadata.annotations?.[clustersAnnotation];
  if (listed === undefined) return false;
  const clusters = getOrInsertComputed(
    listedClusters,
    addOn,
    () => new Set(listed.split('\n').map((line) => line.trim())),
  );
  return !clusters.has(onCluster.metadata.namespace ?? '');
}

export function healthModeOf({ metadata }: Stored<ClusterManagementAddOnV1alpha1>): HealthMode {
  return metadata.annotations?.[healthAnnotation] === 'lease' ? 'lease' : 'works';
}

/** Returns the name of an add-on's template on a cluster; undefined for add-ons without a template. */
export function templateNameOf(
  addOn: Stored<ClusterManagementAddOnV1alpha1>,
  onCluster: ManagedClusterAddOnV1alpha1,
): string | undefined {
  return (
    onCluster.spec.configs?.find(isTemplate)?.name ??
    addOn.metadata.annotations?.[defaultTemplateAnnotation] ??
    addOn.spec.supportedConfigs?.find(isTemplate)?.defaultConfig?.name
  );
}

/** Whether the definition of an add-on lists a kind of configuration. */
export function isSupported(
  { spec }: ClusterManagementAddOnV1alpha1,
  { group = '', resource }: ConfigKind,
): boolean {
  return (spec.supportedConfigs ?? []).some(
    (kind) => (kind.group ?? '') === group && kind.resource === resource,
  );
}

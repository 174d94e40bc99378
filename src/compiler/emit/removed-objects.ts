import { ocmKinds } from '../../../schemas/kinds.ts';
import { findKindVersion } from '../../../schemas/index.ts';
import { deliveryAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { applyDefaults } from '../admit/schema/defaults.ts';
import { forHub, type TargetHub } from '../admit/conversion/for-hub.ts';
import { isInstalledByPlacements } from '../../ocm/install-strategy.ts';
import { referentKey, type Referent } from '../../ocm/referent.ts';
import { groupOf, guessResource, kindKey } from '../../base/names/resource-name.ts';
import { objectKey, type Inventory } from '../model/inventory.ts';
import { overrideMode } from '../cluster-overrides/override-mode.ts';
import type { Resolution } from '../resolve.ts';
import { usedObjects } from './protection.ts';

/**
 * Returns the objects that an app no longer has and that its output keeps, because the hub may still use them: clusters of a
 * rollout use a configuration until their wave, and an add-on names a Placement until the engine has applied it again. The choice
 * depends on the current objects only, so that keeping an object never changes the hub's decisions:
 *
 * - what add-ons use (`usedObjects`), unless an object of the app still names it: then something else manages it;
 * - the Namespaces of these;
 * - for a ManagedClusterAddOn that configured one cluster of an add-on that placements install, a ManagedClusterAddOn without
 *   configurations. OCM makes the ClusterManagementAddOn its owner. Argo CD prunes nothing that has an owner, and Flux would
 *   uninstall the add-on. So the configurations are removed, and the object stays.
 *
 * @param current - the objects of the app, as they are emitted
 */
export function keptObjects(
  removed: readonly KubernetesObject[],
  current: readonly KubernetesObject[],
  resolution: Resolution,
  target: TargetHub,
): readonly KubernetesObject[] {
  if (removed.length === 0) return [];
  const names = namesIn(resolution.inventory);
  const isUsed = usedObjects(current);
  const kept = removed.flatMap((object): KubernetesObject[] => {
    switch (kindKey(object)) {
      case ocmKinds.managedClusterAddOn.key:
        return withoutConfigs(object, resolution, target);
      case ocmKinds.placement.key:
        return isNamed(object, names.placements) ? [] : [object];
      case ocmKinds.managedClusterSetBinding.key:
        return names.usesSet(object.metadata.namespace ?? '', boundSet(object)) ? [] : [object];
      case ocmKinds.managedClusterSet.key:
        return names.boundSets.has(object.metadata.name ?? '') ? [] : [object];
      case namespaceKey:
        return [];
      default:
        return isUsed(object) && !names.configs.has(referentKey(referentOf(object))) ? [object] : [];
    }
  });
  const namespaces = new Set(kept.map(({ metadata }) => metadata.namespace));
  const namespacesOfKept = removed.filter(
    (object) => kindKey(object) === namespaceKey && namespaces.has(object.metadata.name),
  );
  return [...namespacesOfKept, ...kept];
}

const namespaceKey = '/Namespace';

/** The objects that the current objects name. */
interface Names {
  /** Placements as `namespace/name`. */
  readonly placements: ReadonlySet<string>;
  /** Configurations by `referentKey`. */
  readonly configs: ReadonlySet<string>;
  /** Sets that a binding names. */
  readonly boundSets: ReadonlySet<string>;
  /** Whether a Placement in the namespace selects from the set. */
  usesSet(namespace: string, set: string): boolean;
}

function namesIn(inventory: Inventory): Names {
  const placements = new Set<string>();
  const configs = new Set<string>();
  for (const { object } of inventory.clusterManagementAddOns.values()) {
    for (const config of object.spec.defaultConfigs ?? []) configs.add(referentKey(config));
    for (const placement of object.spec.installStrategy?.placements ?? []) {
      placements.add(objectKey(placement.namespace, placement.name));
      for (const config of placement.configs ?? []) configs.add(referentKey(config));
    }
  }
  for (const { object } of inventory.managedClusterAddOns.values())
    for (const config of object.spec.configs ?? []) configs.add(referentKey(config));
  for (const { object } of inventory.others)
    for (const name of placementsNamedBy(object)) placements.add(objectKey(object.metadata.namespace, name));
  const setsByNamespace = new Map<string, readonly (readonly string[])[]>();
  for (const { object } of inventory.placements.values()) {
    const { namespace = '' } = object.metadata;
    setsByNamespace.set(namespace, [
      ...(setsByNamespace.get(namespace) ?? []),
      object.spec.clusterSets ?? [],
    ]);
  }
  return {
    placements,
    configs,
    boundSets: new Set(
      [...inventory.managedClusterSetBindings.values()].map(({ object }) => boundSet(object)),
    ),
    // A Placement without clusterSets selects from every bound set.
    usesSet: (namespace, set) =>
      (setsByNamespace.get(namespace) ?? []).some((sets) => sets.length === 0 || sets.includes(set)),
  };
}

/** Returns the Placements, in its namespace, that an object of another kind follows. */
function placementsNamedBy({ spec, ...object }: KubernetesObject & { readonly spec?: unknown }): string[] {
  const placementRef = (holder: unknown): string[] => {
    if (!isJsonMap(holder)) return [];
    const { placementRef: one, placementRefs: several } = holder;
    return [one, ...(isJsonList(several) ? several : [])].flatMap((reference) =>
      isJsonMap(reference) && typeof reference['name'] === 'string' ? [reference['name']] : [],
    );
  };
  const nested = isJsonMap(spec) ? spec['placement'] : undefined;
  return [...placementRef(object), ...placementRef(spec), ...placementRef(nested)];
}

function isNamed({ metadata }: KubernetesObject, keys: ReadonlySet<string>): boolean {
  return keys.has(objectKey(metadata.namespace, metadata.name ?? ''));
}

function referentOf({ apiVersion, kind, metadata }: KubernetesObject): Referent {
  const { namespace, name = '' } = metadata;
  const resource = guessResource(kind);
  return { group: groupOf(apiVersion), resource, ...(namespace === undefined ? {} : { namespace }), name };
}

function boundSet({
  metadata,
  spec,
}: {
  readonly metadata: KubernetesObject['metadata'];
  readonly spec?: unknown;
}): string {
  const set = isJsonMap(spec) ? spec['clusterSet'] : undefined;
  return typeof set === 'string' ? set : (metadata.name ?? '');
}

/** Returns the ManagedClusterAddOn of a removed override in the form that the hub would have created. Empty if there is none. */
function withoutConfigs(
  { apiVersion, kind, metadata }: KubernetesObject,
  { configuration, inventory }: Resolution,
  target: TargetHub,
): KubernetesObject[] {
  const { name = '', namespace = '', annotations = {} } = metadata;
  const addOn = configuration.get(name);
  const definition = inventory.clusterManagementAddOns.get(name);
  // The companion reverts these.
  if (overrideMode({ apiVersion, kind, metadata }) === 'inventory') return [];
  if (annotations[deliveryAnnotation] !== undefined || addOn?.delivery !== 'hub') return [];
  if (definition === undefined || !isInstalledByPlacements(definition.object) || !addOn.managed) return [];
  if (!addOn.clusters.has(namespace)) return [];
  const object: KubernetesObject & JsonMap = { apiVersion, kind, metadata: { name, namespace }, spec: {} };
  const emitted = forHub(object, target);
  const schema = findKindVersion(emitted.apiVersion, kind)?.version.schema;
  return [schema === undefined ? emitted : (applyDefaults(emitted, schema) as KubernetesObject)];
}

import { groupOf } from '../../base/names/resource-name.ts';
import type { ObjectIdentity } from '../model/elsewhere.ts';
import { identityOfKey, type Inventory } from '../model/inventory.ts';
import { installPlacements } from '../../ocm/install-strategy.ts';
import { placementFollowers } from '../api/placement-followers.ts';
import { type Referent } from '../../ocm/referent.ts';
import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import { permissionsOf } from '../../ocm/hub-permissions.ts';

/** A reference that names the plural of a kind, as configurations do. */
export type NamedObject = ObjectIdentity | (Omit<Referent, 'namespace'> & { readonly namespace?: string });

/** Returns the objects that the objects of an inventory refer to, including missing objects. */
export function* objectReferences(inventory: Inventory): Iterable<NamedObject> {
  for (const { object } of inventory.clusterManagementAddOns.values()) {
    for (const { namespace, name } of installPlacements(object))
      yield { group: clusterGroup, kind: 'Placement', namespace, name };
    yield* configurations(object.spec.defaultConfigs);
    for (const { configs } of installPlacements(object)) yield* configurations(configs);
  }
  for (const { object } of inventory.managedClusterAddOns.values()) {
    yield { group: addOnGroup, kind: 'ClusterManagementAddOn', name: object.metadata.name ?? '' };
    yield* configurations(object.spec.configs);
  }
  for (const { object } of inventory.managedClusterSetBindings.values())
    yield { group: clusterGroup, kind: 'ManagedClusterSet', name: object.metadata.name ?? '' };
  for (const { object } of inventory.placements.values()) {
    const { namespace = '' } = object.metadata;
    for (const name of object.spec.clusterSets ?? []) {
      yield { group: clusterGroup, kind: 'ManagedClusterSet', name };
      yield { group: clusterGroup, kind: 'ManagedClusterSetBinding', namespace, name };
    }
    // Without cluster sets, all bindings of the namespace count.
    if ((object.spec.clusterSets ?? []).length === 0)
      yield { group: clusterGroup, kind: 'ManagedClusterSetBinding', namespace };
  }
  for (const { object } of inventory.addOnTemplates.values()) {
    for (const { namespace, roleRef } of permissionsOf(object, '').permissions) {
      const { apiGroup: group, kind, name } = roleRef;
      yield kind === 'Role' ? { group, kind, namespace, name } : { group, kind, name };
    }
  }
  for (const { references } of placementFollowers(inventory))
    for (const { kind, key, holder } of references) {
      const group = kind === 'Placement' ? clusterGroup : groupOf(holder.object.apiVersion);
      yield { group, kind, ...identityOfKey(key) };
    }
}

interface ConfigReference {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

function* configurations(configs: readonly ConfigReference[] = []): Iterable<NamedObject> {
  for (const { group = '', resource, namespace, name } of configs)
    if (name !== undefined && name !== '')
      yield { group, resource, name, ...(namespace === undefined ? {} : { namespace }) };
}

import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import { groupOf, guessResource } from '../../base/names/resource-name.ts';
import { type ConfigKind, type Referent, configKindKey, referentKey } from '../../ocm/referent.ts';
import { specHash } from '../../ocm/spec-hash.ts';
import { storedContent } from './stored-content.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/** Looks up the configuration objects of the inventory by reference. Each one is hashed once. */
export interface ConfigObjects {
  find(referent: Referent): Admitted | undefined;
  /** Returns `namespace/name` or `name` of all objects of a kind. */
  names(kind: ConfigKind): readonly string[];
  /** Returns the object's spec hash. Empty if the inventory does not have the object. */
  hash(referent: Referent): string;
}

export function configObjects(inventory: Inventory): ConfigObjects {
  const byReferent = new Map<string, Admitted>();
  const names = new Map<string, string[]>();
  const add = (group: string, resource: string, admitted: Admitted): void => {
    const { namespace, name = '' } = admitted.object.metadata;
    byReferent.set(referentKey({ group, resource, ...(namespace && { namespace }), name }), admitted);
    const ofKind = getOrInsertComputed(names, configKindKey({ group, resource }), () => []);
    ofKind.push(objectKey(namespace, name));
  };
  for (const template of inventory.addOnTemplates.values())
    add(addOnGroup, 'addontemplates', asAny(template));
  for (const config of inventory.addOnDeploymentConfigs.values())
    add(addOnGroup, 'addondeploymentconfigs', asAny(config));
  const plurals = definedPlurals(inventory);
  for (const other of inventory.others) {
    const { apiVersion, kind } = other.object;
    const group = groupOf(apiVersion);
    add(group, plurals.get(`${group}/${kind}`) ?? guessResource(kind), other);
  }

  const hashes = new Map<Admitted, string>();
  const find = (referent: Referent): Admitted | undefined => byReferent.get(referentKey(referent));
  return {
    find,
    names: (kind) => names.get(configKindKey(kind)) ?? [],
    hash(referent) {
      const object = find(referent);
      if (object === undefined) return '';
      let hash = hashes.get(object);
      if (hash === undefined) hashes.set(object, (hash = specHash(storedContent(object.object))));
      return hash;
    },
  };
}

function asAny<T extends { apiVersion: string; kind: string; metadata: KubernetesObject['metadata'] }>(
  admitted: Admitted<T>,
): Admitted {
  return { ...admitted, object: { ...admitted.object } };
}

/** Returns the plurals from the CustomResourceDefinitions of the inventory: `group/kind` to plural. */
function definedPlurals(inventory: Inventory): Map<string, string> {
  const plurals = new Map<string, string>();
  for (const { object } of inventory.others) {
    if (object.kind !== 'CustomResourceDefinition') continue;
    const spec = object['spec'] as { group?: string; names?: { kind?: string; plural?: string } } | undefined;
    if (spec?.names?.kind !== undefined && spec.names.plural !== undefined) {
      plurals.set(`${spec.group ?? ''}/${spec.names.kind}`, spec.names.plural);
    }
  }
  return plurals;
}

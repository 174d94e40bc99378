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
  /** As `find`, with the `referentKey` of the reference. */
  findByKey(key: string): Admitted | undefined;
  /** Returns `namespace/name` or `name` of all objects of a kind. */
  names(kind: ConfigKind): readonly string[];
  /** Returns the object's spec hash. Empty if the inventory does not have the object. */
  hash(referent: Referent): string;
}

const hashes = new WeakMap<Admitted, string>();

/** Returns the spec hash of an object that was found. */
export function hashOf(found: Admitted): string {
  return getOrInsertComputed(hashes, found, () => specHash(storedContent(found.object)));
}

/** Returns the configuration objects of an inventory: one object for all phases. */
export function configObjects(inventory: Inventory): ConfigObjects {
  return getOrInsertComputed(ofInventory, inventory, objectsOf);
}

const ofInventory = new WeakMap<Inventory, ConfigObjects>();

function objectsOf(inventory: Inventory): ConfigObjects {
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

  const find = (referent: Referent): Admitted | undefined => byReferent.get(referentKey(referent));
  return {
    find,
    findByKey: (key) => byReferent.get(key),
    names: (kind) => names.get(configKindKey(kind)) ?? [],
    hash(referent) {
      const object = find(referent);
      return object === undefined ? '' : hashOf(object);
    },
  };
}

type Described = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>;

/** One object for all states that have a configuration. */
const anyObjects = new WeakMap<Admitted<Described>, Admitted>();

function asAny(admitted: Admitted<Described>): Admitted {
  return getOrInsertComputed(anyObjects, admitted, () => ({ ...admitted, object: { ...admitted.object } }));
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

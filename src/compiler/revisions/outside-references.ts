import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { immutableAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { referentKey } from '../../ocm/referent.ts';
import { writerOf } from '../../ocm/writer.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { diagnostic, type Diagnostic, type RelatedLocation } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Inventory, LoadedObject } from '../model/inventory.ts';
import { withConfigNames } from './config-references.ts';
import { pointAtLoaded, titleOf } from './point-at-loaded.ts';

/**
 * Reports immutable objects that something refers to by their written name, and that the compiler does not rewrite: an object of the
 * hub, an entry of `external`, which exists for other apps, or the rules of a role. No object has this name on the hub.
 *
 * @param written - the immutable objects as they were written, by `referentKey`
 */
export function outsideReferences(
  written: ReadonlyMap<string, LoadedObject>,
  { clusterManagementAddOns, managedClusterAddOns, elsewhere, others }: Inventory,
): Diagnostic[] {
  if (written.size === 0) return [];
  const users = new Map<string, RelatedLocation[]>();
  const add = (key: string, user: RelatedLocation): void => {
    if (written.has(key)) users.set(key, [...(users.get(key) ?? []), user]);
  };
  for (const { object, origin, source } of [
    ...clusterManagementAddOns.values(),
    ...managedClusterAddOns.values(),
  ]) {
    // An engine that applies it from Git applies the new reference too.
    if (source !== 'fleet' || writerOf(object.metadata) !== undefined) continue;
    const { namespace, name = '' } = object.metadata;
    const title = `${object.kind} "${namespace === undefined ? '' : `${namespace}/`}${name}" on the hub`;
    withConfigNames({ ...object }, ({ key }) => {
      add(key, { message: title, location: origin.location });
      return undefined;
    });
  }
  for (const { kind, group = addOnGroup, namespace, name, location } of elsewhere.external) {
    const resource = resources.get(kind);
    if (group !== addOnGroup || resource === undefined) continue;
    const key = referentKey({ group, resource, ...(namespace !== undefined && { namespace }), name });
    add(key, { message: 'an entry of external', ...(location && { location }) });
  }
  for (const { object, origin, source } of others) {
    if (source !== 'app' || groupOf(object.apiVersion) !== 'rbac.authorization.k8s.io') continue;
    const title = `${object.kind} "${object.metadata.name ?? ''}"`;
    for (const { resource, name, path } of resourceNames(object))
      for (const key of written.keys())
        if (isNamed(key, resource, name)) add(key, { message: title, location: origin.locate(path) });
  }
  return [...users].flatMap(([key, related]) => {
    const loaded = written.get(key);
    const [user] = related;
    if (loaded === undefined || user === undefined) return [];
    return [
      diagnostic('FW2062', {
        message: `${titleOf(loaded)} gets a name with a hash, but ${user.message} refers to it by this name`,
        ...pointAtLoaded(loaded, ['metadata', 'annotations', immutableAnnotation]),
        hint: `refer to it only from this app, or remove the annotation ${immutableAnnotation}`,
        related,
      }),
    ];
  });
}

const resources: ReadonlyMap<string, string> = new Map([
  ['AddOnTemplate', 'addontemplates'],
  ['AddOnDeploymentConfig', 'addondeploymentconfigs'],
]);

/** The rules of a role name objects without their namespace. */
function isNamed(key: string, resource: string, name: string): boolean {
  const [group, keyResource, , keyName] = key.split('\u0000');
  return group === addOnGroup && keyResource === resource && keyName === name;
}

interface ResourceName {
  readonly resource: string;
  readonly name: string;
  readonly path: FieldPath;
}

/** Returns the configurations that the rules of a role name. */
function resourceNames(object: KubernetesObject): ResourceName[] {
  const rules: unknown = object['rules'];
  if (!isJsonList(rules)) return [];
  return rules.flatMap((rule, index) => {
    if (!isJsonMap(rule) || !isJsonList(rule['apiGroups']) || !isJsonList(rule['resources'])) return [];
    const { apiGroups, resources: ofRule, resourceNames: names } = rule;
    if (!apiGroups.includes(addOnGroup) || !isJsonList(names)) return [];
    const configs = [...resources.values()].filter((resource) => ofRule.includes(resource));
    return names.flatMap((name, at) =>
      typeof name === 'string'
        ? configs.map((resource) => ({ resource, name, path: ['rules', index, 'resourceNames', at] }))
        : [],
    );
  });
}

import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { referentKey } from '../../ocm/referent.ts';
import type { PlacementFollower } from './placement-followers.ts';
import { objectKey } from '../model/inventory.ts';

/** The objects of a hub that use others. The API server has validated those of OCM's kinds. */
export interface HubUsers {
  readonly addOns: readonly KubernetesObject[];
  readonly clusterAddOns: readonly KubernetesObject[];
  readonly placements: readonly KubernetesObject[];
  readonly bindings: readonly KubernetesObject[];
  readonly templates: readonly KubernetesObject[];
  readonly clusters: readonly KubernetesObject[];
  /** RoleBindings and ClusterRoleBindings. */
  readonly roleBindings: readonly KubernetesObject[];
  readonly followers: readonly PlacementFollower[];
  /** The objects of the kinds that CustomResourceDefinitions define, by the name of the definition. */
  readonly custom: ReadonlyMap<string, readonly KubernetesObject[]>;
}

const clusterSetLabel = 'cluster.open-cluster-management.io/clusterset';

/** Returns what uses an object on a hub, sorted. */
export function usersOf(object: KubernetesObject, plural: string, users: HubUsers): readonly string[] {
  const { kind, metadata } = object;
  const { name = '', namespace } = metadata;
  const found = ((): readonly string[] => {
    switch (kind) {
      case 'Placement':
        return placementUsers(objectKey(namespace, name), users);
      case 'ManagedClusterSetBinding':
        return users.placements.filter((placement) => usesBinding(placement, object)).map(titleOf);
      case 'ManagedClusterSet':
        return setUsers(name, users);
      case 'Namespace':
        return [...users.placements, ...users.bindings, ...users.clusterAddOns, ...users.roleBindings]
          .filter((each) => each.metadata.namespace === name)
          .map(titleOf);
      case 'Role':
      case 'ClusterRole':
        return roleUsers(object, users);
      case 'CustomResourceDefinition':
        return (users.custom.get(name) ?? []).map(titleOf);
      case 'ManagedClusterAddOn':
        return [];
      default:
        return configUsers(
          referentKey({ group: groupOf(object.apiVersion), resource: plural, ...metadata, name }),
          users,
        );
    }
  })();
  return [...new Set(found)].sort(compareUtf8);
}

/** The add-ons that name a configuration, and the clusters whose add-on should use it, uses it, or can go back to it. */
function configUsers(key: string, { addOns, clusterAddOns }: HubUsers): readonly string[] {
  const names = (value: unknown): boolean => referencesIn(value).has(key);
  return [
    ...addOns.filter(({ spec }) => names(spec)).map(titleOf),
    ...clusterAddOns
      .filter(
        ({ spec, status }) =>
          names(spec) || names(isJsonMap(status) ? status['configReferences'] : undefined),
      )
      .map(({ metadata: { name = '', namespace = '' } }) => `${name} on ${namespace}`),
  ];
}

/**
 * Returns the keys of all references to configurations in a spec or status. The resource is beside the name, or around an object
 * with it: `defaultConfig`, `desiredConfig`, `lastAppliedConfig`, `lastKnownGoodConfig`.
 */
function referencesIn(value: unknown, keys = new Set<string>()): ReadonlySet<string> {
  if (isJsonList(value)) for (const each of value) referencesIn(each, keys);
  if (!isJsonMap(value)) return keys;
  const { group, resource } = value;
  for (const each of Object.values(value)) {
    referencesIn(each, keys);
    if (typeof resource === 'string' && isJsonMap(each)) addKey({ group, resource, ...each }, keys);
  }
  if (typeof resource === 'string') addKey(value, keys);
  return keys;
}

function addKey({ group, resource, namespace, name }: JsonMap, keys: Set<string>): void {
  if (typeof resource !== 'string' || typeof name !== 'string' || name === '') return;
  keys.add(
    referentKey({
      group: typeof group === 'string' ? group : '',
      resource,
      namespace: typeof namespace === 'string' ? namespace : '',
      name,
    }),
  );
}

function placementUsers(key: string, { addOns, followers }: HubUsers): readonly string[] {
  const install = addOns.filter(({ spec }) => {
    const strategy = isJsonMap(spec) ? spec['installStrategy'] : undefined;
    const placements = isJsonMap(strategy) ? strategy['placements'] : undefined;
    return (isJsonList(placements) ? placements : []).some(
      (entry) => isJsonMap(entry) && `${String(entry['namespace'])}/${String(entry['name'])}` === key,
    );
  });
  return [
    ...install.map(titleOf),
    ...followers
      .filter(({ references }) => references.some((each) => each.kind === 'Placement' && each.key === key))
      .map(({ kind, name }) => `${kind} ${name}`),
  ];
}

/** A Placement without sets uses all bindings of its namespace. */
function usesBinding({ metadata, spec }: KubernetesObject, binding: KubernetesObject): boolean {
  if (metadata.namespace !== binding.metadata.namespace) return false;
  const sets = isJsonMap(spec) ? spec['clusterSets'] : undefined;
  if (!isJsonList(sets) || sets.length === 0) return true;
  return sets.includes(binding.metadata.name ?? '');
}

function setUsers(name: string, { bindings, clusters }: HubUsers): readonly string[] {
  return [
    ...bindings.filter(({ spec }) => isJsonMap(spec) && spec['clusterSet'] === name).map(titleOf),
    ...clusters.filter(({ metadata }) => metadata.labels?.[clusterSetLabel] === name).map(titleOf),
  ];
}

/** The bindings of a role, and the templates whose agents get it. */
function roleUsers(
  { kind, metadata: { name = '', namespace } }: KubernetesObject,
  { roleBindings, templates }: HubUsers,
): readonly string[] {
  const isRef = (ref: unknown): boolean => isJsonMap(ref) && ref['kind'] === kind && ref['name'] === name;
  const bound = roleBindings.filter(
    (each) => isRef(each['roleRef']) && (kind === 'ClusterRole' || each.metadata.namespace === namespace),
  );
  const granted = templates.filter(({ spec }) => grants(spec, kind, name));
  return [...bound, ...granted].map(titleOf);
}

/** Whether a template has `clusterRoleName` or a `roleRef` of a role. */
function grants(value: unknown, kind: string, name: string): boolean {
  if (isJsonList(value)) return value.some((each) => grants(each, kind, name));
  if (!isJsonMap(value)) return false;
  const { clusterRoleName, roleRef } = value;
  if (kind === 'ClusterRole' && clusterRoleName === name) return true;
  if (isJsonMap(roleRef) && roleRef['kind'] === kind && roleRef['name'] === name) return true;
  return Object.values(value).some((each) => grants(each, kind, name));
}

function titleOf({ kind, metadata: { name = '', namespace } }: KubernetesObject): string {
  return `${kind} ${objectKey(namespace, name)}`;
}

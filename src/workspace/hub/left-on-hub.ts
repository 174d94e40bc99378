import { admit, type LeftOnHub } from '../../compiler/index.ts';
import { placementFollowers } from '../../compiler/api/placement-followers.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { isProtectedFromPruning, leftObjects } from '../../compiler/status/left/left-objects.ts';
import type { HubUsers } from '../../compiler/api/hub-users.ts';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { clusterResource, namespacedResource, type Resource } from '../../client/resource.ts';
import { resourceOf } from '../../ocm/resource.ts';
import { engineOf, fleetwright, managedByLabel } from '../../ocm/writer.ts';
import { addOnGroup, workGroup } from '../../../schemas/groups.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { outputFileNames } from '../output/output-objects.ts';
import type { Workspace } from '../workspace.ts';
import { asLoaded } from './hub-state.ts';
import { EngineOwners } from './engine-owners.ts';
import type { HubLists } from './hub-lists.ts';
import { unlessForbidden } from './unless-forbidden.ts';

const rbac = 'rbac.authorization.k8s.io/v1';

/** The kinds that synth protects from pruning, and that it labels. */
const protectedKinds: readonly Resource[] = [
  clusterResource('v1', 'Namespace', 'namespaces'),
  clusterResource('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions'),
  namespacedResource(rbac, 'Role', 'roles'),
  clusterResource(rbac, 'ClusterRole', 'clusterroles'),
  resourceOf(ocmKinds.managedClusterSet, 'v1beta2'),
  resourceOf(ocmKinds.managedClusterSetBinding, 'v1beta2'),
  resourceOf(ocmKinds.placement, 'v1beta1'),
  resourceOf(ocmKinds.addOnTemplate, 'v1alpha1'),
  resourceOf(ocmKinds.addOnDeploymentConfig, 'v1alpha1'),
  resourceOf(ocmKinds.managedClusterAddOn, 'v1alpha1'),
];

/** The kinds, besides add-ons, that follow Placements, by group. */
const followerKinds: Readonly<Record<string, readonly string[]>> = {
  [workGroup]: ['ManifestWorkReplicaSet'],
  'argoproj.io': ['ApplicationSet'],
  'apps.open-cluster-management.io': ['GitOpsCluster', 'Subscription'],
  'policy.open-cluster-management.io': ['PlacementBinding', 'Policy', 'PolicySet'],
};

/**
 * Reads the objects that an engine applied for this workspace, that `dist/` no longer has, and that no engine deletes, with what uses
 * them. Whether they are used is read only if there are any.
 */
export async function readLeftOnHub(hub: HubLists, workspace: Workspace): Promise<LeftOnHub> {
  const reading = new Reading(hub);
  const files = await outputFileNames(workspace);
  const addOns = await reading.list(resourceOf(ocmKinds.clusterManagementAddOn, 'v1alpha1'));
  const candidates: Left[] = [];
  const take = (objects: readonly KubernetesObject[], { plural }: Resource): void => {
    for (const object of objects)
      if (isCandidate(object, addOns) && !files.has(fileName(object))) candidates.push({ object, plural });
  };
  for (const kind of protectedKinds)
    take(await reading.list(kind, { labelSelector: `${managedByLabel}=${fleetwright}` }), kind);
  // Fleetwright does not label configurations of other kinds, whose controllers may copy labels.
  for (const kind of await reading.configKinds(addOns)) take(await reading.list(kind), kind);
  const owners =
    candidates.length === 0 ? undefined : await EngineOwners.read(hub, workspace, reading.unread);
  const left = candidates.filter(({ object }) => owners?.isOurs(engineOf(object.metadata)) === true);
  const objects = left.length === 0 ? [] : leftObjects(left, await reading.users(left, addOns));
  return { objects, unread: [...reading.unread].sort() };
}

interface Left {
  readonly object: KubernetesObject;
  readonly plural: string;
}

function isCandidate(object: KubernetesObject, addOns: readonly KubernetesObject[]): boolean {
  const { kind, metadata } = object;
  if (metadata.deletionTimestamp !== undefined || engineOf(metadata) === undefined) return false;
  if (!isProtectedFromPruning(object)) return false;
  // The hub itself deletes those of add-ons that placements install.
  return (
    kind !== 'ManagedClusterAddOn' ||
    !addOns.some((addOn) => addOn.metadata.name === metadata.name && hasPlacements(addOn))
  );
}

function hasPlacements({ spec }: KubernetesObject): boolean {
  const strategy = isJsonMap(spec) ? spec['installStrategy'] : undefined;
  return isJsonMap(strategy) && strategy['type'] === 'Placements';
}

/** Reads kinds, and remembers those that it may not read. */
class Reading {
  readonly unread = new Set<string>();
  readonly #hub: HubLists;

  constructor(hub: HubLists) {
    this.#hub = hub;
  }

  async list(
    resource: Resource,
    selection: { readonly labelSelector?: string } = {},
  ): Promise<readonly KubernetesObject[]> {
    const objects = await unlessForbidden(this.#hub.list(resource, selection), () =>
      this.unread.add(resource.plural),
    );
    return (objects ?? []).map((object) => ({
      ...object,
      apiVersion: resource.apiVersion,
      kind: resource.kind,
    }));
  }

  /** The kinds of configurations that add-ons support, other than those of OCM. */
  async configKinds(addOns: readonly KubernetesObject[]): Promise<readonly Resource[]> {
    const kinds = new Map<string, Resource>();
    for (const { spec } of addOns) {
      const supported = isJsonMap(spec) ? spec['supportedConfigs'] : undefined;
      for (const each of isJsonList(supported) ? supported : []) {
        if (!isJsonMap(each)) continue;
        const { group = '', resource } = each;
        if (typeof group !== 'string' || typeof resource !== 'string') continue;
        if (group === addOnGroup || resource === 'secrets' || kinds.has(`${group}/${resource}`)) continue;
        const match = (await this.#served(group)).find(({ plural }) => plural === resource);
        if (match !== undefined) kinds.set(`${group}/${resource}`, match);
      }
    }
    return [...kinds.values()];
  }

  /** Reads what may use some objects. */
  async users(left: readonly Left[], addOns: readonly KubernetesObject[]): Promise<HubUsers> {
    const kinds = new Set(left.map(({ object }) => object.kind));
    const has = (...names: readonly string[]): boolean => names.some((name) => kinds.has(name));
    const needed = async (
      isNeeded: boolean,
      ...resources: readonly Resource[]
    ): Promise<readonly KubernetesObject[]> => {
      const objects: KubernetesObject[] = [];
      for (const resource of isNeeded ? resources : []) objects.push(...(await this.list(resource)));
      return objects;
    };
    const inNamespaces = has('Namespace');
    return {
      addOns,
      clusterAddOns: await this.list(resourceOf(ocmKinds.managedClusterAddOn, 'v1alpha1')),
      placements: await this.list(resourceOf(ocmKinds.placement, 'v1beta1')),
      bindings: await this.list(resourceOf(ocmKinds.managedClusterSetBinding, 'v1beta2')),
      templates: await needed(has('Role', 'ClusterRole'), resourceOf(ocmKinds.addOnTemplate, 'v1alpha1')),
      clusters: await needed(has('ManagedClusterSet'), resourceOf(ocmKinds.managedCluster, 'v1')),
      roleBindings: await needed(
        inNamespaces || has('Role', 'ClusterRole'),
        namespacedResource(rbac, 'RoleBinding', 'rolebindings'),
        clusterResource(rbac, 'ClusterRoleBinding', 'clusterrolebindings'),
      ),
      followers: has('Placement') ? await this.#followers() : [],
      custom: await this.#custom(left),
    };
  }

  async #followers(): Promise<HubUsers['followers']> {
    const objects: KubernetesObject[] = [];
    for (const [group, kinds] of Object.entries(followerKinds))
      for (const resource of await this.#served(group))
        if (kinds.includes(resource.kind)) objects.push(...(await this.list(resource)));
    return placementFollowers(admit(objects.map(asLoaded)).value);
  }

  async #custom(left: readonly Left[]): Promise<HubUsers['custom']> {
    const custom = new Map<string, readonly KubernetesObject[]>();
    for (const { object } of left) {
      if (object.kind !== 'CustomResourceDefinition' || !isJsonMap(object.spec)) continue;
      const { group, names } = object.spec;
      const plural = isJsonMap(names) ? names['plural'] : undefined;
      const served = typeof group === 'string' ? await this.#served(group) : [];
      const resource = served.find((each) => each.plural === plural);
      if (resource !== undefined) custom.set(object.metadata.name ?? '', await this.list(resource));
    }
    return custom;
  }

  async #served(group: string): Promise<readonly Resource[]> {
    const resources = await unlessForbidden(this.#hub.resourcesOf(group), () =>
      this.unread.add(`the kinds of ${group}`),
    );
    return resources ?? [];
  }
}

import { ocmKinds } from '../../schemas/kinds.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { kindKey } from '../base/names/resource-name.ts';

/** The section of an app in which a kind is created. Later sections refer to earlier ones. */
export type Section = 'hub' | 'clusters' | 'configs' | 'add-ons';

interface KindOfObject {
  readonly section: Section;
  /** The word that distinguishes its variables from those of other kinds with the same name. */
  readonly word: string;
}

type Typed = Pick<KubernetesObject, 'apiVersion' | 'kind'>;

const kinds: ReadonlyMap<string, KindOfObject> = new Map([
  [ocmKinds.clusterManager.key, { section: 'hub', word: 'cluster-manager' }],
  [ocmKinds.klusterlet.key, { section: 'hub', word: 'klusterlet' }],
  [ocmKinds.managedClusterSet.key, { section: 'clusters', word: 'set' }],
  [ocmKinds.managedClusterSetBinding.key, { section: 'clusters', word: 'binding' }],
  [ocmKinds.placement.key, { section: 'clusters', word: 'placement' }],
  [ocmKinds.addOnDeploymentConfig.key, { section: 'configs', word: 'config' }],
  [ocmKinds.addOnTemplate.key, { section: 'configs', word: 'template' }],
  [ocmKinds.clusterManagementAddOn.key, { section: 'add-ons', word: 'add-on' }],
  [ocmKinds.managedClusterAddOn.key, { section: 'add-ons', word: 'add-on' }],
]);

/** Returns the properties of kinds that import writes with a specific construct; undefined for all others. */
export function kindWithConstruct(object: Typed): KindOfObject | undefined {
  return kinds.get(kindKey(object));
}

const order: readonly string[] = [...kinds.keys()];

/** Returns the position of a kind in the order of creation. All other kinds come first, because these may refer to them. */
export function creationRank(object: Typed): number {
  return order.indexOf(kindKey(object));
}

const hubStateKinds: ReadonlySet<string> = new Set([
  ocmKinds.addOnPlacementScore.key,
  ocmKinds.placementDecision.key,
]);

/** Whether only the hub and its agents write objects of the kind. */
export function isHubState(object: Typed): boolean {
  return hubStateKinds.has(kindKey(object));
}

const clusterNamespaceKinds: ReadonlySet<string> = new Set([
  ocmKinds.managedClusterAddOn.key,
  ocmKinds.manifestWork.key,
  'authentication.open-cluster-management.io/ManagedServiceAccount',
  'rbac.open-cluster-management.io/ClusterPermission',
  'action.open-cluster-management.io/ManagedClusterAction',
  'view.open-cluster-management.io/ManagedClusterView',
]);

/** Whether objects of the kind are in the namespaces of clusters. */
export function isInClusterNamespace(object: Typed): boolean {
  return clusterNamespaceKinds.has(kindKey(object));
}

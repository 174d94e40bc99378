import type { KubernetesObject } from '../kubernetes/object-meta.ts';
import { groupOf } from '../kubernetes/resource-name.ts';

/** The section of an app in which a kind is created. Later sections refer to earlier ones. */
export type Section = 'hub' | 'clusters' | 'configs' | 'add-ons';

interface KindOfObject {
  readonly section: Section;
  /** The word that distinguishes its variables from those of other kinds with the same name. */
  readonly word: string;
}

type Typed = Pick<KubernetesObject, 'apiVersion' | 'kind'>;

const kinds: ReadonlyMap<string, KindOfObject> = new Map([
  ['operator.open-cluster-management.io/ClusterManager', { section: 'hub', word: 'cluster-manager' }],
  ['operator.open-cluster-management.io/Klusterlet', { section: 'hub', word: 'klusterlet' }],
  ['cluster.open-cluster-management.io/ManagedClusterSetBinding', { section: 'clusters', word: 'binding' }],
  ['cluster.open-cluster-management.io/Placement', { section: 'clusters', word: 'placement' }],
  ['addon.open-cluster-management.io/AddOnDeploymentConfig', { section: 'configs', word: 'config' }],
  ['addon.open-cluster-management.io/AddOnTemplate', { section: 'configs', word: 'template' }],
  ['addon.open-cluster-management.io/ClusterManagementAddOn', { section: 'add-ons', word: 'add-on' }],
  ['addon.open-cluster-management.io/ManagedClusterAddOn', { section: 'add-ons', word: 'add-on' }],
]);

/** Returns `group/Kind`, which identifies a kind in any version. */
export function kindKey({ apiVersion, kind }: Typed): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** Returns the properties of kinds that import writes with a specific construct; undefined for all others. */
export function knownKind(object: Typed): KindOfObject | undefined {
  return kinds.get(kindKey(object));
}

const order: readonly string[] = [...kinds.keys()];

/** Returns the position of a kind in the order of creation. All other kinds come first, because these may refer to them. */
export function creationRank(object: Typed): number {
  return order.indexOf(kindKey(object));
}

const fleetKinds: ReadonlySet<string> = new Set([
  'cluster.open-cluster-management.io/ManagedCluster',
  'cluster.open-cluster-management.io/ManagedClusterSet',
  'cluster.open-cluster-management.io/AddOnPlacementScore',
  'cluster.open-cluster-management.io/PlacementDecision',
]);

/** Whether objects of the kind describe the fleet, not the app. */
export function isFleetKind(object: Typed): boolean {
  return fleetKinds.has(kindKey(object));
}

const clusterNamespaceKinds: ReadonlySet<string> = new Set([
  'addon.open-cluster-management.io/ManagedClusterAddOn',
  'work.open-cluster-management.io/ManifestWork',
  'authentication.open-cluster-management.io/ManagedServiceAccount',
  'rbac.open-cluster-management.io/ClusterPermission',
  'action.open-cluster-management.io/ManagedClusterAction',
  'view.open-cluster-management.io/ManagedClusterView',
]);

/** Whether objects of the kind are in the namespaces of clusters. */
export function isInClusterNamespace(object: Typed): boolean {
  return clusterNamespaceKinds.has(kindKey(object));
}

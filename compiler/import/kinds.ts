import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { groupOf } from '../api/resource-name.ts';

/** The part of an app in which a kind is created; what comes later refers to what came before. */
export type Section = 'hub' | 'clusters' | 'configs' | 'add-ons';

interface KindOfObject {
  readonly section: Section;
  /** How its variables are told from those of other kinds with the same name. */
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

/** `group/Kind`, by which kinds are known whatever the version. */
export function kindKey({ apiVersion, kind }: Typed): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** What is known of kinds that import writes with a construct of their own; undefined for all others. */
export function knownKind(object: Typed): KindOfObject | undefined {
  return kinds.get(kindKey(object));
}

const order: readonly string[] = [...kinds.keys()];

/** The order of creation; all other kinds come first, as these may refer to them. */
export function creationRank(object: Typed): number {
  return order.indexOf(kindKey(object));
}

const fleetKinds: ReadonlySet<string> = new Set([
  'cluster.open-cluster-management.io/ManagedCluster',
  'cluster.open-cluster-management.io/ManagedClusterSet',
  'cluster.open-cluster-management.io/AddOnPlacementScore',
  'cluster.open-cluster-management.io/PlacementDecision',
]);

/** Whether objects of the kind tell what the fleet is, and not what the app wants. */
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

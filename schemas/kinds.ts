import {
  addOnGroup as addOn,
  clusterGroup as cluster,
  operatorGroup as operator,
  workGroup as work,
} from './groups.ts';

/** A kind of OCM. */
export interface OcmKind {
  readonly group: string;
  readonly kind: string;
  /** Lower-case plural: the resource in URLs, RBAC rules and configuration references. */
  readonly plural: string;
  readonly scope: 'Cluster' | 'Namespaced';
  /** `group/Kind`, which identifies the kind in any version. */
  readonly key: string;
}

function clusterScoped<G extends string, K extends string>(group: G, kind: K) {
  return { group, kind, plural: pluralOf(kind), scope: 'Cluster', key: `${group}/${kind}` } as const;
}

function namespaced<G extends string, K extends string>(group: G, kind: K) {
  return { group, kind, plural: pluralOf(kind), scope: 'Namespaced', key: `${group}/${kind}` } as const;
}

/** OCM names the resources of all its kinds in this way. */
function pluralOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

/** Every kind of OCM that Fleetwright supports. `schemas/index.ts` has their versions and schemas. */
export const ocmKinds = {
  addOnDeploymentConfig: namespaced(addOn, 'AddOnDeploymentConfig'),
  addOnTemplate: clusterScoped(addOn, 'AddOnTemplate'),
  clusterManagementAddOn: clusterScoped(addOn, 'ClusterManagementAddOn'),
  managedClusterAddOn: namespaced(addOn, 'ManagedClusterAddOn'),
  addOnPlacementScore: namespaced(cluster, 'AddOnPlacementScore'),
  clusterClaim: clusterScoped(cluster, 'ClusterClaim'),
  managedCluster: clusterScoped(cluster, 'ManagedCluster'),
  managedClusterSet: clusterScoped(cluster, 'ManagedClusterSet'),
  managedClusterSetBinding: namespaced(cluster, 'ManagedClusterSetBinding'),
  placement: namespaced(cluster, 'Placement'),
  placementDecision: namespaced(cluster, 'PlacementDecision'),
  clusterManager: clusterScoped(operator, 'ClusterManager'),
  klusterlet: clusterScoped(operator, 'Klusterlet'),
  appliedManifestWork: clusterScoped(work, 'AppliedManifestWork'),
  manifestWork: namespaced(work, 'ManifestWork'),
  manifestWorkReplicaSet: namespaced(work, 'ManifestWorkReplicaSet'),
} as const satisfies Readonly<Record<string, OcmKind>>;

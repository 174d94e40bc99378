import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds, reference, type KindOf } from '../client/kinds.ts';

export const policyKinds = {
  policy: ['policy.open-cluster-management.io/v1', 'Policy'],
  policySet: ['policy.open-cluster-management.io/v1beta1', 'PolicySet'],
  placementBinding: ['policy.open-cluster-management.io/v1', 'PlacementBinding'],
} as const satisfies Record<string, KindOf>;

/** Clusters by their names, with their labels, and objects for them. */
export interface PolicyCase {
  readonly clusters: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly objects: readonly KubernetesObject[];
}

/** The copies of Policies on a hub: the cluster and `namespace.name`, and the remediationAction there in lower case, or `-` without one. */
export type PolicyCopies = Readonly<Record<string, string>>;

/** Returns the objects of clusters that have joined and are available. */
export function clusterObjects(clusters: PolicyCase['clusters']): readonly KubernetesObject[] {
  const types = ['HubAcceptedManagedCluster', 'ManagedClusterJoined', 'ManagedClusterConditionAvailable'];
  return Object.entries(clusters).map(([name, labels]) => ({
    ...reference(ocmKinds.managedCluster, name),
    metadata: { name, labels },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
    status: {
      conditions: types.map((type) => ({
        type,
        status: 'True',
        reason: 'Reported',
        message: 'as the case says',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  }));
}

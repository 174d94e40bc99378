import type { PlacementDecisionV1beta1 } from '../../schemas/types.gen.ts';

/** A PlacementDecision with the labels of a decision group. */
export function decisionOf(
  index: string,
  name: string,
  clusters: readonly string[],
): PlacementDecisionV1beta1 {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: {
      namespace: 'default',
      name: `placement-decision-${index}`,
      labels: {
        'cluster.open-cluster-management.io/placement': 'placement',
        'cluster.open-cluster-management.io/decision-group-index': index,
        'cluster.open-cluster-management.io/decision-group-name': name,
      },
    },
    status: { decisions: clusters.map((clusterName) => ({ clusterName, reason: '' })) },
  };
}

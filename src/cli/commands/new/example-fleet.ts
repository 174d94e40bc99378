const clusters = [
  { name: 'dev-1', env: 'dev' },
  { name: 'staging-1', env: 'staging' },
  { name: 'prod-1', env: 'prod' },
  { name: 'prod-2', env: 'prod' },
] as const;

/**
 * Returns a fleet of four clusters, until the first `fleet pull`.
 *
 * @param pull - the command that replaces it with a snapshot of a hub
 */
export function exampleFleet(pull: string): string {
  return `# The clusters that the add-ons are compiled for. Replace this file with a snapshot of your own hub:
#   npx ${pull}
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata:
  name: global
spec:
  clusterSelector:
    selectorType: LabelSelector
    labelSelector: {}
${clusters.map(managedCluster).join('')}`;
}

function managedCluster({ name, env }: (typeof clusters)[number]): string {
  return `---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: ${name}
  labels:
    env: ${env}
spec:
  hubAcceptsClient: true
status:
  version:
    kubernetes: v1.34.2
  conditions:
    - type: ManagedClusterConditionAvailable
      status: 'True'
      reason: ManagedClusterAvailable
      message: Managed cluster is available
      lastTransitionTime: '2026-01-01T00:00:00Z'
`;
}

import { folderWith } from '../terminal.ts';

/** Returns a cluster as a fleet snapshot has it. */
export const cluster = (
  name: string,
  env: string,
): string => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
status: { conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-01T00:00:00Z" }] }
`;

/** Returns an app that installs an add-on of its name with a configuration on all clusters with `env: prod`. */
export const app = (name: string): string => `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${name} }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: production, namespace: ${name} }
spec:
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } } } }]
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: defaults, namespace: ${name} }
spec: { customizedVariables: [{ name: LEVEL, value: info }] }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: ${name} }
spec:
  supportedConfigs:
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      defaultConfig: { name: defaults, namespace: ${name} }
  installStrategy:
    type: Placements
    placements: [{ name: production, namespace: ${name} }]
`;

export const settings = 'fleetwright.yaml';
export const fleet = 'fleet.yaml';
export const file = 'apps/agent/objects.yaml';

/** One app in plain YAML, and a fleet: two clusters have the add-on, and one does not. */
export const small = {
  [settings]: '{}\n',
  [fleet]: [cluster('dev-1', 'dev'), cluster('prod-1', 'prod'), cluster('prod-2', 'prod')].join('---\n'),
  [file]: app('agent'),
};

export async function smallWorkspace(more: Readonly<Record<string, string>> = {}): Promise<string> {
  return await folderWith({ ...small, ...more });
}

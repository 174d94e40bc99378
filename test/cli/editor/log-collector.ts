import { folderWith } from '../terminal.ts';

const cluster = (
  name: string,
  environment: string,
): string => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { environment: ${environment}, region: europe } }
spec: { hubAcceptsClient: true }
status: { version: { kubernetes: v1.33.4 }, conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-01T00:00:00Z" }], clusterClaims: [{ name: platform, value: metal }] }
`;

const fleet = [
  cluster('alpha', 'dev'),
  cluster('bravo', 'staging'),
  cluster('carol', 'prod'),
  cluster('delta', 'prod'),
].join('---\n');

/** An add-on with a template, two configurations, three waves and an override, without a mistake. */
export const logCollector = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: logging }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: production
  namespace: logging
spec:
  clusterSets: [global]
  predicates:
    - requiredClusterSelector:
        labelSelector:
          matchLabels:
            environment: prod
            region: europe
          matchExpressions:
            - key: environment
              operator: In
              values: [prod, staging]
        claimSelector:
          matchExpressions:
            - { key: platform, operator: In, values: [metal] }
  tolerations:
    - { key: cluster.open-cluster-management.io/unreachable, operator: Exists }
    - { key: cluster.open-cluster-management.io/unavailable, operator: Exists }
  decisionStrategy:
    groupStrategy:
      decisionGroups:
        - groupName: first
          groupClusterSelector:
            labelSelector: { matchLabels: { environment: prod } }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: testing
  namespace: logging
spec:
  predicates:
    - requiredClusterSelector:
        labelSelector:
          matchLabels: { environment: dev }
  tolerations:
    - { key: cluster.open-cluster-management.io/unreachable, operator: Exists }
    - { key: cluster.open-cluster-management.io/unavailable, operator: Exists }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: defaults
  namespace: logging
spec:
  agentInstallNamespace: log-agents
  customizedVariables:
    - name: LOG_LEVEL
      value: info
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: verbose
  namespace: logging
spec:
  agentInstallNamespace: log-agents
  customizedVariables:
    - name: LOG_LEVEL
      value: debug
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata:
  name: log-collector-v1
spec:
  addonName: log-collector
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: Namespace
          metadata: { name: log-agents }
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: settings, namespace: log-agents }
          data:
            level: '{{LOG_LEVEL}}'
        - apiVersion: apps/v1
          kind: Deployment
          metadata: { name: collector, namespace: log-agents }
          spec:
            replicas: 1
            selector: { matchLabels: { app: collector } }
            template:
              metadata: { labels: { app: collector } }
              spec:
                containers:
                  - name: collector
                    image: example.com/collector:1.2.3
                    envFrom: [{ configMapRef: { name: settings } }]
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: log-collector
spec:
  addOnMeta: { displayName: Log collector, description: Collects logs }
  supportedConfigs:
    - group: addon.open-cluster-management.io
      resource: addontemplates
      defaultConfig: { name: log-collector-v1 }
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      defaultConfig:
        name: defaults
        namespace: logging
  installStrategy:
    type: Placements
    placements:
      - name: production
        namespace: logging
        rolloutStrategy:
          type: ProgressivePerGroup
          progressivePerGroup:
            progressDeadline: 10m
            maxFailures: 25%
            mandatoryDecisionGroups: [{ groupName: first }]
      - name: testing
        namespace: logging
        configs:
          - group: addon.open-cluster-management.io
            resource: addondeploymentconfigs
            name: verbose
            namespace: logging
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata:
  name: log-collector
  namespace: carol
spec:
  configs:
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      name: verbose
      namespace: logging
`;

export const logCollectorFile = 'apps/log-collector/objects.yaml';

/** A workspace with this add-on. */
export async function logCollectorWorkspace(): Promise<string> {
  return await folderWith({
    'fleetwright.yaml': '{}\n',
    'fleet.yaml': fleet,
    [logCollectorFile]: logCollector,
  });
}

import { yamlString } from '../../yaml-string.ts';
import { title } from './example-app.ts';

/**
 * Returns the add-on of `exampleApp` as YAML.
 *
 * @param name - of the app, of its add-on and of its namespace; a DNS label
 */
export function exampleYaml(name: string): string {
  return `# The add-on "${name}": greets from every cluster, and changes production last. Replace it with your own.
apiVersion: v1
kind: Namespace
metadata:
  name: ${yamlString(name)}
---
# All clusters of the hub. A Placement sees only the sets that are bound to its namespace.
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata:
  name: global
  namespace: ${yamlString(name)}
spec:
  clusterSet: global
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: everywhere
  namespace: ${yamlString(name)}
spec:
  # A cluster that is unreachable keeps its add-on. Without these tolerations, the hub would uninstall it there.
  tolerations:
    - key: cluster.open-cluster-management.io/unreachable
      operator: Exists
    - key: cluster.open-cluster-management.io/unavailable
      operator: Exists
  decisionStrategy:
    groupStrategy:
      decisionGroups:
        - groupName: dev
          groupClusterSelector:
            labelSelector:
              matchLabels:
                env: dev
        - groupName: staging
          groupClusterSelector:
            labelSelector:
              matchLabels:
                env: staging
---
# The agent on a cluster. An edit of this object reaches all clusters at once. For a rollout in waves, add a template with a new name,
# and reference it below.
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata:
  name: ${yamlString(`${name}-1`)}
spec:
  addonName: ${yamlString(name)}
  agentSpec:
    workload:
      manifests:
        - apiVersion: apps/v1
          kind: Deployment
          metadata:
            name: ${yamlString(name)}
            namespace: open-cluster-management-agent-addon
            labels:
              app: ${yamlString(name)}
          spec:
            replicas: 1
            selector:
              matchLabels:
                app: ${yamlString(name)}
            template:
              metadata:
                labels:
                  app: ${yamlString(name)}
              spec:
                containers:
                  - name: greeter
                    image: busybox:1.37
                    command: [sh, -c, 'while true; do echo "$GREETING from $CLUSTER"; sleep 60; done']
                    env:
                      - name: GREETING
                        value: '{{GREETING}}'
                      - name: CLUSTER
                        value: '{{CLUSTER_NAME}}'
                    resources:
                      requests: { cpu: 5m, memory: 8Mi }
                      limits: { memory: 16Mi }
                    securityContext:
                      allowPrivilegeEscalation: false
                      readOnlyRootFilesystem: true
                      runAsNonRoot: true
                      runAsUser: 65534
---
# The settings that can differ per cluster. The same applies to edits.
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: ${yamlString(`${name}-1`)}
  namespace: ${yamlString(name)}
spec:
  customizedVariables:
    - name: GREETING
      value: Hello
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: ${yamlString(name)}
spec:
  addOnMeta:
    displayName: ${yamlString(title(name))}
    description: Greets from every cluster
  supportedConfigs:
    - group: addon.open-cluster-management.io
      resource: addontemplates
      defaultConfig:
        name: ${yamlString(`${name}-1`)}
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      defaultConfig:
        name: ${yamlString(`${name}-1`)}
        namespace: ${yamlString(name)}
  installStrategy:
    type: Placements
    placements:
      - name: everywhere
        namespace: ${yamlString(name)}
        rolloutStrategy:
          type: Progressive
          progressive:
            mandatoryDecisionGroups:
              - groupName: dev
              - groupName: staging
            maxConcurrency: 25%
            minSuccessTime: 5m0s
            progressDeadline: 10m0s
`;
}

const group = 'addon.open-cluster-management.io';

/** An add-on of the stories: installed by a placement, with configurations `usual`, `prod`, `own` and `other`. */
export interface AddOnText {
  /** The name of the add-on, its namespace and its template, and the prefix of its clusters. */
  readonly name: string;
  /** The configuration of single clusters, by the last part of their names. @default - none */
  readonly overrides?: Readonly<Record<string, string>>;
  /** How the overrides reach the hub. @default 'object' */
  readonly mode?: string;
  /** A value of the configuration that all clusters have. @default 'prod' */
  readonly value?: string;
  /** Whether clusters are updated one after another. @default false */
  readonly oneByOne?: boolean;
  /** @default 'hub' */
  readonly delivery?: 'hub' | 'compiled';
}

/** Its app in YAML. */
export function addOn(text: AddOnText): string {
  const { name, overrides = {}, mode = 'object', value = 'prod', oneByOne = false, delivery = 'hub' } = text;
  const annotations = { 'fleetwright.dev/override': mode, 'fleetwright.dev/delivery': delivery };
  const rolloutStrategy = oneByOne
    ? { type: 'Progressive', progressive: { maxConcurrency: 1 } }
    : { type: 'All' };
  const configs = { usual: 'usual', prod: value, own: 'own', other: 'other' };
  return `${scaffold(name)}
${Object.entries(configs)
  .map(
    ([config, from]) => `---
apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${config}, namespace: ${name} }
spec: { agentInstallNamespace: "", customizedVariables: [{ name: FROM, value: ${from} }] }
`,
  )
  .join('')}---
apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: ${name}
  annotations: ${JSON.stringify(annotations)}
spec:
  supportedConfigs:
  - { group: ${group}, resource: addontemplates, defaultConfig: { name: ${name} } }
  - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: usual, namespace: ${name} } }
  installStrategy: { type: Placements, placements: [{ name: selected, namespace: ${name}, configs: [${reference(name, 'prod')}], rolloutStrategy: ${JSON.stringify(rolloutStrategy)} }] }
${Object.entries(overrides)
  .map(
    ([cluster, config]) => `---
apiVersion: ${group}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: ${name}, namespace: ${name}-${cluster} }
spec: { configs: [${reference(name, config)}] }
`,
  )
  .join('')}`;
}

/** The same app without the add-on, whose placement selects for another that stays. */
export function scaffold(name: string): string {
  return `apiVersion: v1
kind: Namespace
metadata: { name: ${name} }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${name} }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: selected, namespace: ${name} }
spec:
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { test: ${name} } } } }]
  tolerations: [{ operator: Exists }]
---
apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: ${name} }
spec:
  addonName: ${name}
  agentSpec:
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: agent, namespace: default }, data: { from: "{{FROM}}" } }
`;
}

/** Its fleet. */
export function fleet(name: string, clusters: readonly string[]): string {
  const set = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: global }
spec: { clusterSelector: { selectorType: LabelSelector, labelSelector: {} } }
`;
  return [
    set,
    ...clusters.map(
      (cluster) => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}-${cluster}, labels: { test: ${name} } }
spec: { hubAcceptsClient: true }
status:
  conditions:
  - { type: ManagedClusterConditionAvailable, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }
`,
    ),
  ].join('---\n');
}

function reference(namespace: string, name: string): string {
  return `{ group: ${group}, resource: addondeploymentconfigs, name: ${name}, namespace: ${namespace} }`;
}

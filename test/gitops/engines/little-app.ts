import type { Clusters } from './little-fleet.ts';

/** An add-on of a story. Its agent is a ConfigMap that shows the configuration of its cluster. */
export interface LittleAddOn {
  /** The value that clusters without an override get. */
  readonly value: string;
  /** The values of single clusters. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** How overrides reach the hub. @default - as without a choice */
  readonly mode?: 'object' | 'placement' | 'inventory';
  /** Whether clusters are updated one after another, each once the one before has been well for five minutes. @default false */
  readonly slowly?: boolean;
  /** Whether clusters are updated one after another, each once the one before is well. @default false */
  readonly oneByOne?: boolean;
  /** A rollout strategy in YAML. @default - as `slowly` and `oneByOne` say */
  readonly strategy?: string;
  /** The name of the placement. @default 'everywhere' */
  readonly placement?: string;
  /** Placements that select the clusters with their name as the label `ring`. @default - one that selects all */
  readonly rings?: readonly string[];
  /** @default 'hub' */
  readonly delivery?: 'hub' | 'compiled';
}

const group = 'addon.open-cluster-management.io';

/** The files of an app with one add-on, and the fleet that it is compiled for. */
export function littleApp(name: string, clusters: Clusters, addOn: LittleAddOn): Record<string, string> {
  const fleet = Object.entries(clusters)
    .map(
      ([cluster, labels]) => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${cluster}, labels: ${JSON.stringify(labels)} }
spec: { hubAcceptsClient: true }
`,
    )
    .join('---\n');
  return {
    [`apps/${name}/app.yaml`]: `${placementsOf(name, addOn)}---\n${littleAddOn(name, name, addOn)}`,
    [`apps/${name}/fleet.yaml`]: fleet,
  };
}

function placementsOf(story: string, { placement, rings }: LittleAddOn): string {
  if (rings === undefined) return littlePlacement(story, placement);
  const [namespace = '', binding = ''] = littlePlacement(story).split('---\n');
  const placements = rings.map((ring) =>
    (littlePlacement(story, ring).split('---\n')[2] ?? '').replace(
      `{ story: ${story} }`,
      `{ story: ${story}, ring: ${ring} }`,
    ),
  );
  return [namespace, binding, ...placements].join('---\n');
}

/** A namespace with a placement of all clusters of a story. */
export function littlePlacement(story: string, name = 'everywhere'): string {
  return `apiVersion: v1
kind: Namespace
metadata: { name: ${story} }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${story} }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: ${story} }
spec:
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { story: ${story} } } } }]
  tolerations: [{ operator: Exists }]
`;
}

/** An add-on on the clusters of a story. */
export function littleAddOn(
  story: string,
  name: string,
  {
    value,
    overrides = {},
    mode,
    slowly = false,
    oneByOne = false,
    strategy: written,
    placement = 'everywhere',
    rings = [placement],
    delivery = 'hub',
  }: LittleAddOn,
): string {
  const values = [...new Set([value, ...Object.values(overrides)])];
  const annotations = [
    ...(mode === undefined ? [] : [`fleetwright.dev/override: ${mode}`]),
    ...(delivery === 'hub' ? [] : ['fleetwright.dev/delivery: compiled']),
  ];
  const otherwise = slowly
    ? '{ type: Progressive, progressive: { maxConcurrency: 1, minSuccessTime: 5m } }'
    : `{ type: ${oneByOne ? 'Progressive, progressive: { maxConcurrency: 1 }' : 'All'} }`;
  const strategy = written ?? otherwise;
  const config = (each: string): string =>
    `{ group: ${group}, resource: addondeploymentconfigs, name: ${name}-${each}, namespace: ${story} }`;
  const configs = values.map(
    (each) => `apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}-${each}, namespace: ${story} }
spec: { customizedVariables: [{ name: VALUE, value: ${each} }] }
`,
  );
  const template = `apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: ${name} }
spec:
  addonName: ${name}
  agentSpec:
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: default }, data: { value: "{{VALUE}}" } }
`;
  const definition = `apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: ${name}, annotations: { ${annotations.join(', ')} } }
spec:
  supportedConfigs:
  - { group: ${group}, resource: addontemplates, defaultConfig: { name: ${name} } }
  - { group: ${group}, resource: addondeploymentconfigs }
  installStrategy:
    type: Placements
    placements:
${rings.map((ring) => `    - { name: ${ring}, namespace: ${story}, configs: [${config(value)}], rolloutStrategy: ${strategy} }\n`).join('')}`;
  const ofClusters = Object.entries(overrides).map(
    ([cluster, own]) => `apiVersion: ${group}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: ${name}, namespace: ${cluster} }
spec: { configs: [${config(own)}] }
`,
  );
  return [...configs, template, definition, ...ofClusters].join('---\n');
}

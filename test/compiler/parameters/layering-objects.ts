import { stringify } from 'yaml';
import { present } from '../../hub/differential/random.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import {
  defaults,
  type Cluster,
  type Layer,
  type OverrideMode,
  type Parts,
  type Values,
} from './random-layering.ts';

const addOnGroup = 'addon.open-cluster-management.io';
const clusterGroup = 'cluster.open-cluster-management.io';

/** Returns the clusters and sets of a layering as the hub has them. */
export function fleetOf({ clusters, sets }: Parts): KubernetesObject[] {
  return [
    ...clusters.map(managedCluster),
    ...sets.map(({ name, labels }) => clusterSet(name, labels)),
    clusterSet('global', {}),
  ];
}

function clusterSet(name: string, matchLabels: Readonly<Record<string, string>>): KubernetesObject {
  return {
    apiVersion: `${clusterGroup}/v1beta2`,
    kind: 'ManagedClusterSet',
    metadata: { name },
    spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: { matchLabels } } },
  };
}

function managedCluster({ name, labels, claims, cpu, version }: Cluster): KubernetesObject {
  return {
    apiVersion: `${clusterGroup}/v1`,
    kind: 'ManagedCluster',
    metadata: { name, labels: { ...labels, [`${clusterGroup}/clusterset`]: 'default' } },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
    status: {
      version: { kubernetes: version },
      allocatable: { cpu },
      clusterClaims: Object.entries(claims).map(([key, value]) => ({ name: key, value })),
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: 'True',
          reason: 'Reported',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  };
}

/** Returns the app of a layering, with its parameters. */
export function appOf({ name, placements, layers }: Parts, mode: OverrideMode): KubernetesObject[] {
  const namespace = `${name}-ns`;
  const parameters = {
    LEVEL: { type: 'enum', values: ['debug', 'info'], default: defaults.LEVEL },
    COUNT: { type: 'number', min: 0, default: defaults.COUNT },
    PORTS: { type: 'list', items: { type: 'integer' }, default: defaults.PORTS },
    URL: { type: 'string' },
    nodes: { type: 'object', field: 'nodePlacement', default: defaults.nodes },
  };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: `${clusterGroup}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: { name: 'global', namespace },
      spec: { clusterSet: 'global' },
    },
    ...placements.map((placement) => ({
      apiVersion: `${clusterGroup}/v1beta1`,
      kind: 'Placement',
      metadata: { name: placement.name, namespace },
      spec: {
        predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: placement.labels } } }],
      },
    })),
    {
      apiVersion: `${addOnGroup}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name },
      spec: { addonName: name, agentSpec: { workload: { manifests: manifestsOf(parameters) } } },
    },
    {
      apiVersion: `${addOnGroup}/v1beta1`,
      kind: 'ClusterManagementAddOn',
      metadata: {
        name,
        annotations: {
          'addon.open-cluster-management.io/lifecycle': 'addon-manager',
          'fleetwright.dev/override': mode,
        },
      },
      spec: {
        defaultConfigs: [{ group: addOnGroup, resource: 'addontemplates', name }],
        installStrategy: {
          type: 'Placements',
          placements: placements.map((placement) => ({ name: placement.name, namespace })),
        },
      },
    },
    {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'AddOnParameters',
      metadata: { name, namespace },
      spec: { parameters, layers: layers.map(writtenLayer) },
    },
  ];
}

function writtenLayer({ scope: { rank: _rank, ...scope }, values }: Layer): object {
  return { ...scope, values };
}

function manifestsOf(parameters: object): object[] {
  const variables = Object.keys(parameters).filter((name) => name !== 'nodes');
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'values', namespace: 'default' },
      data: Object.fromEntries(variables.map((name) => [name, `{{${name}}}`])),
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'agent', namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: {
          metadata: { labels: { app: 'agent' } },
          spec: { containers: [{ name: 'agent', image: 'example.com/agent' }] },
        },
      },
    },
  ];
}

/** Returns objects as YAML. */
export function textOf(objects: readonly object[]): string {
  return objects.map((object) => `---\n${stringify(object, { aliasDuplicateObjects: false })}`).join('');
}

/** Returns the values in the manifests of a work. The hub replaces a variable without a value by an empty text. */
export function valuesInWork(manifests: readonly object[]): Values {
  const data: Record<string, string> = {};
  let nodes: Readonly<Record<string, string>> | undefined;
  for (const manifest of manifests as readonly Manifest[]) {
    Object.assign(data, manifest.data);
    nodes ??= manifest.spec?.template?.spec?.nodeSelector;
  }
  const set = (name: string): string | undefined => (data[name] === '' ? undefined : data[name]);
  const [count, ports] = [set('COUNT'), set('PORTS')];
  return present({
    LEVEL: set('LEVEL'),
    COUNT: count === undefined ? undefined : Number(count),
    PORTS: ports === undefined ? undefined : (JSON.parse(ports) as number[]),
    URL: set('URL'),
    nodes,
  });
}

interface Manifest {
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly nodeSelector?: Readonly<Record<string, string>> } };
  };
}

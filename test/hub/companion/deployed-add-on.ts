import type { ApiClient } from '../client/api-client.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from '../client/kinds.ts';

export const deploymentKind: KindOf = ['apps/v1', 'Deployment'];

/** Access to the hub's API, with a role in the namespace of the cluster. */
export function kubeClientRegistration(clusterRoleName: string): object {
  return {
    type: 'KubeClient',
    kubeClient: { hubPermissions: [{ type: 'CurrentCluster', currentCluster: { clusterRoleName } }] },
  };
}

/** What there is of an add-on but its name. */
export interface DeployedAddOnOptions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly registration: readonly object[];
  /** The name of a Placement in `add-ons`. @default 'everywhere' */
  readonly placement?: string;
}

/**
 * An add-on with compiled delivery as somebody writes it: a Deployment in a namespace, both of the add-on's name, on all
 * clusters of a placement.
 */
export function deployedAddOn(
  name: string,
  { annotations, registration, placement = 'everywhere' }: DeployedAddOnOptions,
): readonly object[] {
  const template = `${name}-1`;
  const deployment = {
    ...reference(deploymentKind, name, name),
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'agent', image: 'example.com/agent:1' }] },
      },
    },
  };
  return [
    {
      ...reference(ocmKinds.addOnTemplate, template),
      spec: {
        addonName: name,
        agentSpec: { workload: { manifests: [reference(namespaceKind, name), deployment] } },
        registration,
      },
    },
    {
      ...reference(ocmKinds.clusterManagementAddOn, name),
      metadata: { name, annotations: { 'fleetwright.dev/delivery': 'compiled', ...annotations } },
      spec: {
        supportedConfigs: [
          {
            group: 'addon.open-cluster-management.io',
            resource: 'addontemplates',
            defaultConfig: { name: template },
          },
        ],
        installStrategy: {
          type: 'Placements',
          placements: [{ name: placement, namespace: 'add-ons' }],
        },
      },
    },
  ];
}

/** Selects every cluster, also one that is not reached. */
export const everywhere: readonly object[] = [
  reference(namespaceKind, 'add-ons'),
  {
    ...reference(ocmKinds.managedClusterSetBinding, 'global', 'add-ons'),
    spec: { clusterSet: 'global' },
  },
  {
    ...reference(ocmKinds.placement, 'everywhere', 'add-ons'),
    spec: {
      clusterSets: ['global'],
      tolerations: ['unreachable', 'unavailable'].map((taint) => ({
        key: `cluster.open-cluster-management.io/${taint}`,
        operator: 'Exists',
      })),
    },
  },
];

/** A fleet of one cluster. */
export function fleetOf(cluster: string): readonly object[] {
  return [
    {
      ...reference(ocmKinds.managedClusterSet, 'global'),
      spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
    },
    { ...reference(ocmKinds.managedCluster, cluster), spec: { hubAcceptsClient: true } },
  ];
}

/** Reports the status of the Deployment of such an add-on as a cluster that runs it would: nothing runs here. */
export async function reportReady(cluster: ApiClient, name: string, readyReplicas: number): Promise<void> {
  const status = { replicas: 1, updatedReplicas: 1, readyReplicas, availableReplicas: readyReplicas };
  const available = {
    type: 'Available',
    status: readyReplicas > 0 ? 'True' : 'False',
    reason: 'Reported',
    message: 'reported',
  };
  const report = { status: { ...status, conditions: [available] } };
  await cluster.merge(reference(deploymentKind, name, name), report, 'status');
}

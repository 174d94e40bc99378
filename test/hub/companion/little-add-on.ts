import type { KubernetesObject } from '../../../schemas/object-meta.ts';
import type { ApiClient } from '../client/api-client.ts';
import { namespaceKind, ocmKinds, reference } from '../client/kinds.ts';
import { until } from './work-agent.ts';

/** An add-on with compiled delivery that has one permission and nothing to deploy, and the clusters that it is for. */
export interface LittleAddOn {
  readonly name: string;
  readonly clusters: readonly string[];
}

export const littleAddOn = (name: string, count: number): LittleAddOn => ({
  name,
  clusters: Array.from({ length: count }, (_, index) => `${name}-${index}`),
});

/** Makes its definition and its clusters, but puts it nowhere. */
export async function create(client: ApiClient, { name, clusters }: LittleAddOn): Promise<void> {
  const currentCluster = { clusterRoleName: 'view' };
  await client.apply({
    ...reference(ocmKinds.addOnTemplate, name),
    spec: {
      addonName: name,
      agentSpec: { workload: { manifests: [] } },
      registration: [
        {
          type: 'KubeClient',
          kubeClient: { hubPermissions: [{ type: 'CurrentCluster', currentCluster }] },
        },
      ],
    },
  });
  const definition = reference(ocmKinds.clusterManagementAddOn, name);
  const annotations = {
    'addon.open-cluster-management.io/lifecycle': 'self',
    'fleetwright.dev/delivery': 'compiled',
    'fleetwright.dev/default-template': name,
  };
  await client.apply({ ...definition, metadata: { name, annotations }, spec: {} });
  for (const cluster of clusters)
    await client.apply({
      ...reference(ocmKinds.managedCluster, cluster),
      spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
    });
  for (const cluster of clusters) await until(() => client.get(...namespaceKind, cluster));
}

export async function install(client: ApiClient, { name }: LittleAddOn, cluster: string): Promise<void> {
  await client.apply({ ...reference(ocmKinds.managedClusterAddOn, name, cluster), spec: {} });
}

/** Deletes its definition, and all that goes with it, and its clusters. */
export async function remove(client: ApiClient, { name, clusters }: LittleAddOn): Promise<void> {
  await client.delete(reference(ocmKinds.clusterManagementAddOn, name));
  await client.delete(reference(ocmKinds.addOnTemplate, name));
  for (const cluster of clusters) await client.delete(reference(ocmKinds.managedCluster, cluster));
}

/** The clusters on which it is registered. */
export async function registered(client: ApiClient, { name }: LittleAddOn): Promise<readonly string[]> {
  const all = await client.list(...ocmKinds.managedClusterAddOn);
  return all
    .filter((object) => object.metadata.name === name && isRegistered(object))
    .map(({ metadata }) => metadata.namespace ?? '')
    .sort();
}

function isRegistered(object: KubernetesObject): boolean {
  const { conditions = [] } = (object['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some(({ type, status }) => type === 'RegistrationApplied' && status === 'True');
}

import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../client/api-client.ts';
import { namespaceKind, ocmKinds, reference, roleBinding } from '../client/kinds.ts';
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

/**
 * Takes it from all clusters, with the permissions that a companion made for it. Without one that runs, the garbage collector
 * takes them away in its own time, which may be in the middle of what comes next.
 */
export async function uninstall(client: ApiClient, addOn: LittleAddOn): Promise<void> {
  for (const cluster of addOn.clusters)
    await client.delete(reference(ocmKinds.managedClusterAddOn, addOn.name, cluster));
  await until(async () => ((await onClusters(client, addOn)).length === 0 ? true : undefined));
  for (const binding of await bindings(client, addOn)) await client.delete(binding);
}

/** Deletes its definition, and all that goes with it, and its clusters. */
export async function remove(client: ApiClient, { name, clusters }: LittleAddOn): Promise<void> {
  await client.delete(reference(ocmKinds.clusterManagementAddOn, name));
  await client.delete(reference(ocmKinds.addOnTemplate, name));
  for (const cluster of clusters) await client.delete(reference(ocmKinds.managedCluster, cluster));
}

/** The clusters on which it is registered. */
export async function registered(client: ApiClient, addOn: LittleAddOn): Promise<readonly string[]> {
  return namespacesOf((await onClusters(client, addOn)).filter(isRegistered));
}

/** The clusters whose agents have its permission. */
export async function bound(client: ApiClient, addOn: LittleAddOn): Promise<readonly string[]> {
  return namespacesOf(await bindings(client, addOn));
}

async function onClusters(client: ApiClient, { name }: LittleAddOn): Promise<readonly KubernetesObject[]> {
  const all = await client.list(...ocmKinds.managedClusterAddOn);
  return all.filter(({ metadata }) => metadata.name === name);
}

async function bindings(client: ApiClient, { name }: LittleAddOn): Promise<readonly KubernetesObject[]> {
  const ofCompanion = 'app.kubernetes.io/managed-by=fleetwright-controller';
  const all = await client.list(...roleBinding, undefined, ofCompanion);
  return all.filter(({ metadata }) => metadata.name?.startsWith(`fleetwright:${name}:`));
}

function namespacesOf(objects: readonly KubernetesObject[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.namespace ?? '').sort();
}

function isRegistered(object: KubernetesObject): boolean {
  const { conditions = [] } = (object['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some(({ type, status }) => type === 'RegistrationApplied' && status === 'True');
}

import type { KubernetesObject } from '../../../kubernetes/object-meta.ts';
import { connect, type Hub } from '../../hub/client/hub.ts';
import { ocmKinds, reference } from '../../hub/client/kinds.ts';
import { startHub, type RunningHub } from '../../hub/process/start-hub.ts';
import { parseObjects } from '../../hub/record/scenario.ts';
import { eventually } from './eventually.ts';
import { WorkAgents } from './work-agents.ts';

/** A hub that an engine syncs to: OCM's agents run on one cluster, the tests play those of all others. */
export interface EngineHub extends Hub {
  /** Path of a kubeconfig of the hub's administrator, for the engine. */
  readonly kubeconfig: string;
  /** The cluster that OCM's registration and work agents run on, and a kubeconfig of its own API server. */
  readonly managedCluster: { readonly name: string; readonly kubeconfig: string };
  /** The agents of the clusters that the tests add. */
  readonly agents: WorkAgents;
  /** The log of all components. */
  readonly log: string;
  /** Adds clusters whose agents are played by `agents`. */
  addClusters(labels: Readonly<Record<string, Readonly<Record<string, string>>>>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a hub with a managed cluster.
 *
 * @param namespaces - made at once, such as that of the engine
 * @param definitions - CustomResourceDefinitions, each file as YAML; the hub serves their kinds on return
 * @param cluster - the name of the managed cluster
 */
export async function startEngineHub({
  namespaces,
  definitions,
  cluster = 'cluster1',
}: {
  readonly namespaces: readonly string[];
  readonly definitions: readonly string[];
  readonly cluster?: string;
}): Promise<EngineHub> {
  const running = await startHub({ managedCluster: cluster });
  const { managedCluster } = running;
  if (managedCluster === undefined) throw new Error('the hub started without its managed cluster');
  const hub = connect(running);
  const agents = new WorkAgents(hub.client, managedCluster.name);
  try {
    for (const name of namespaces) await hub.client.apply(reference(['v1', 'Namespace'], name));
    await applyDefinitions(hub, definitions.flatMap(parseObjects));
  } catch (error) {
    await stop(running, hub, agents);
    throw error;
  }
  return {
    ...hub,
    agents,
    managedCluster,
    kubeconfig: running.kubeconfig,
    log: running.log,
    addClusters: (labels) => addClusters(hub, labels),
    stop: () => stop(running, hub, agents),
  };
}

async function stop(running: RunningHub, hub: Hub, agents: WorkAgents): Promise<void> {
  await agents.stop();
  hub.close();
  await running.stop();
}

/** Applies CustomResourceDefinitions and returns when their kinds are served. */
export async function applyDefinitions(hub: Hub, definitions: readonly KubernetesObject[]): Promise<void> {
  for (const definition of definitions) await hub.client.apply(definition);
  for (const { apiVersion, kind, metadata } of definitions) {
    await eventually(`${metadata.name ?? ''} is established`, async () => {
      const stored = await hub.client.get(apiVersion, kind, metadata.name ?? '');
      const status = stored?.['status'] as { readonly conditions?: readonly Condition[] | null } | undefined;
      return (status?.conditions ?? []).some(
        ({ type, status }) => type === 'Established' && status === 'True',
      );
    });
  }
}

async function addClusters(
  hub: Hub,
  clusters: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<void> {
  const available: Condition & Record<string, string> = {
    type: 'ManagedClusterConditionAvailable',
    status: 'True',
    reason: 'Available',
    message: '',
    lastTransitionTime: new Date().toISOString(),
  };
  for (const [name, labels] of Object.entries(clusters)) {
    const cluster = reference(ocmKinds.managedCluster, name);
    await hub.client.apply({
      ...cluster,
      metadata: { name, labels }, // The hub calls a cluster silent after five times that.
      spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
    });
    await hub.client.merge(cluster, { status: { conditions: [available] } }, 'status');
  }
  for (const name of Object.keys(clusters))
    await eventually(
      `the hub made the namespace of ${name}`,
      async () => (await hub.client.get('v1', 'Namespace', name)) !== undefined,
    );
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
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

/**
 * Applies CustomResourceDefinitions and returns when their kinds are served and described.
 *
 * Argo CD reads the descriptions when a definition changes and not again, so where the API server describes a kind only
 * after that, Argo CD cannot compare objects of the kind until the next change.
 */
export async function applyDefinitions(hub: Hub, definitions: readonly KubernetesObject[]): Promise<void> {
  if (definitions.length === 0) return;
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
  await eventually('the kinds are described', async () => {
    const kinds = await describedKinds(hub);
    const missing = definitions.flatMap(kindsIn).filter((kind) => !kinds.has(kind));
    return missing.length === 0 || missing.join(' ');
  });
  for (const { apiVersion, kind, metadata } of definitions)
    await hub.client.merge(
      { apiVersion, kind, metadata: { name: metadata.name ?? '' } },
      { metadata: { annotations: { 'test.fleetwright.dev/described': 'true' } } },
    );
}

/** The kinds of a CustomResourceDefinition, as `group/version/kind`. */
function kindsIn(definition: KubernetesObject): readonly string[] {
  const { group, names, versions } = definition['spec'] as {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  return versions.filter(({ served }) => served).map(({ name }) => `${group}/${name}/${names.kind}`);
}

/** The kinds with a schema in the API server's OpenAPI, in the form of {@link kindsIn}. */
async function describedKinds(hub: Hub): Promise<ReadonlySet<string>> {
  const { definitions = {} } = (await hub.client.read('/openapi/v2')) as {
    readonly definitions?: Readonly<Record<string, Description>>;
  };
  const kinds = Object.values(definitions).flatMap(
    (definition) => definition['x-kubernetes-group-version-kind'] ?? [],
  );
  return new Set(kinds.map(({ group, version, kind }) => `${group}/${version}/${kind}`));
}

interface Description {
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
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

import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ManifestWorkV1Status } from '../../../schemas/types.gen.ts';
import type { ApiClient } from '../client/api-client.ts';
import { namespaceKind, ocmKinds, reference } from '../client/kinds.ts';
import { until } from '../companion/until.ts';
import { reportWork } from '../companion/work-agent.ts';

/** Managed clusters of which only the agents' reports exist. Their agents report each work as applied and available. */
export class PlayedClusters {
  readonly #hub: ApiClient;
  readonly #labels = new Map<string, Readonly<Record<string, string>>>();

  constructor(hub: ApiClient) {
    this.#hub = hub;
  }

  /** The labels of each cluster. */
  get labels(): ReadonlyMap<string, Readonly<Record<string, string>>> {
    return this.#labels;
  }

  /** Joins as a registration agent that the hub accepts at once. */
  async join(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
    this.#labels.set(name, labels);
    const cluster = reference(ocmKinds.managedCluster, name);
    await this.#hub.apply({
      ...cluster,
      metadata: { name, labels },
      spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
    });
    // Without the roles in it, an agent cannot join.
    await until(
      `the namespace of ${name}`,
      async () => (await this.#hub.get(...namespaceKind, name)) !== undefined,
    );
    for (const type of ['ManagedClusterJoined', 'ManagedClusterConditionAvailable']) {
      await delay(500);
      const reported = {
        type,
        status: 'True',
        reason: 'Reported',
        message: 'as reported',
        lastTransitionTime: new Date().toISOString(),
      };
      const present = await this.#hub.get(...ocmKinds.managedCluster, name);
      const { conditions = [] } = (present?.['status'] ?? {}) as { readonly conditions?: readonly object[] };
      await this.#hub.merge(cluster, { status: { conditions: [...conditions, reported] } }, 'status');
    }
  }

  async relabel(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
    this.#labels.set(name, labels);
    const removed = { role: null, tier: null };
    const patch = { metadata: { labels: { ...removed, ...labels } } };
    await this.#hub.merge(reference(ocmKinds.managedCluster, name), patch);
  }

  /** Returns when the hub has removed the cluster. */
  async leave(name: string): Promise<void> {
    await this.#hub.delete(reference(ocmKinds.managedCluster, name));
    await until(`the end of ${name}`, async () => {
      const cluster = await this.#hub.get(...ocmKinds.managedCluster, name);
      return cluster === undefined;
    });
    this.#labels.delete(name);
  }

  /** Plays the work agents until the signal aborts. */
  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // The API server is away at times, and works end between the two requests.
      try {
        const works = await this.#hub.list(...ocmKinds.manifestWork);
        for (const work of works.filter((each) => !hasReported(each)))
          await reportWork(this.#hub, work, { Applied: 'True', Available: 'True' });
      } catch (error) {
        if (!(error instanceof Error)) throw error;
      }
      await delay(200);
    }
  }
}

function hasReported({ metadata, status }: KubernetesObject): boolean {
  const { conditions = [] } = (status ?? {}) as ManifestWorkV1Status;
  return conditions.some(
    ({ type, observedGeneration }) => type === 'Applied' && observedGeneration === metadata.generation,
  );
}

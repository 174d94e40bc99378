import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../client/api-client.ts';

/**
 * Reports a work as the work agent of a cluster does.
 *
 * @param ready - how many replicas of its Deployments are ready, of one; if omitted, they are not reported
 */
export async function reportWork(
  client: ApiClient,
  work: KubernetesObject,
  conditions: Readonly<Record<string, 'True' | 'False'>>,
  ready?: number,
): Promise<void> {
  const { workload } = work['spec'] as {
    readonly workload: { readonly manifests: readonly KubernetesObject[] };
  };
  const manifests = workload.manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata: { name, namespace } }, ordinal) => ({
      conditions: [],
      resourceMeta: {
        ordinal,
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
        resource: 'deployments',
        name,
        namespace,
      },
      statusFeedback: {
        values: [
          { name: 'Replicas', fieldValue: { type: 'Integer', integer: 1 } },
          { name: 'ReadyReplicas', fieldValue: { type: 'Integer', integer: ready } },
        ],
      },
    }));
  const status = {
    conditions: Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      reason: 'Reported',
      message: 'as reported',
      observedGeneration: work.metadata.generation,
      lastTransitionTime: '2026-11-21T00:00:00Z',
    })),
    resourceStatus: { manifests: ready === undefined ? [] : manifests },
  };
  await client.merge(work, { status }, 'status');
}

/** Reads until something is there. */
export async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

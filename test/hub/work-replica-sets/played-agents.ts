import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ApiError, type ApiClient } from '../client/api-client.ts';
import { ocmKinds } from '../client/kinds.ts';

/** Played agents of all clusters. */
export interface PlayedAgents {
  stop(): Promise<void>;
}

/** Plays the agents of all clusters: each work is applied as soon as it is there, and Progressing only with a rule for it. */
export function playAgents(client: ApiClient): PlayedAgents {
  const stopping = new AbortController();
  const playing = (async () => {
    while (!stopping.signal.aborted) {
      for (const work of await client.list(...ocmKinds.manifestWork)) await report(client, work);
      await delay(200);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await playing;
    },
  };
}

async function report(client: ApiClient, work: KubernetesObject): Promise<void> {
  const { generation: observedGeneration } = work.metadata as { readonly generation?: number };
  const { status } = work as {
    readonly status?: { readonly conditions?: readonly { observedGeneration?: number }[] };
  };
  if (status?.conditions?.every((each) => each.observedGeneration === observedGeneration)) return;
  const since = {
    reason: 'Played',
    message: '',
    lastTransitionTime: new Date().toISOString(),
    observedGeneration,
  };
  const conditions = [
    { type: 'Applied', status: 'True', ...since },
    ...(JSON.stringify(work['spec']).includes('"condition":"Progressing"')
      ? [{ type: 'Progressing', status: 'False', ...since }]
      : []),
  ];
  try {
    await client.merge(work, { status: { conditions } }, 'status');
  } catch (error) {
    // The hub has deleted it meanwhile.
    if (!(error instanceof ApiError && error.refusal.code === 404)) throw error;
  }
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { isClusterScoped } from '../../schemas/cluster-scoped.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { refusedChanges } from '../../src/ocm/clusters/immutable-fields.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { Random } from './differential/random.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { existingNamespace, manifestPair, type ManifestPair } from './work-agent/manifest-pairs.ts';

// OCM's own work agent and a real API server, beside the prediction: which manifests are applied, and what exists afterwards.

let running: RunningHub;
let hub: Hub;
let managed: ApiClient;
beforeAll(async () => {
  running = await startHub({ managedCluster: 'joined' });
  hub = connect(running);
  const address = running.managedCluster;
  if (address === undefined) throw new Error('a managed cluster');
  managed = new ApiClient(readAccess(address.kubeconfig));
}, 300_000);
afterAll(async () => {
  managed.close();
  hub.close();
  await running.stop();
});

const count = Number(process.env['WORK_AGENT_MANIFESTS'] ?? 60);
const perWork = 6;
const patience = { timeout: 120_000, interval: 500 };

test('the agent applies, refuses and changes manifests as predicted', { timeout: 900_000 }, async () => {
  const random = new Random(Number(process.env['WORK_AGENT_SEED'] ?? 40));
  const pairs = Array.from({ length: count }, (_, index) => manifestPair(random, String(index)));
  const works = Array.from({ length: Math.ceil(count / perWork) }, (_, index) => ({
    name: `work-${index}`,
    pairs: pairs.slice(index * perWork, (index + 1) * perWork),
  }));
  const differences: string[] = [];
  let refused = 0;
  for (const side of ['before', 'after'] as const) {
    for (const { name, pairs } of works) await hub.client.apply(workOf(name, pairs, side));
    for (const { name, pairs } of works) {
      const applied = await appliedOf(name);
      for (const [index, pair] of pairs.entries()) {
        const predicted = predict(pair, side);
        const { status, message } = applied[index] ?? {};
        if (predicted.isApplied !== (status === 'True'))
          differences.push(
            `${side} ${show(pair)}\n  predicted ${predicted.isApplied}, ${status}: ${message}`,
          );
        if (!predicted.isApplied) refused++;
        const version = await versionOf(pair, predicted.version);
        if (version !== predicted.version)
          differences.push(`${side} ${show(pair)}\n  predicted version ${predicted.version}, is ${version}`);
      }
    }
  }
  process.stdout.write(
    `work agent: ${count} manifests and their updates, ${refused} refused, ${differences.length} differ\n`,
  );
  expect(differences).toEqual([]);
  expect(refused).toBeGreaterThan(count / 5);
});

/** Whether a manifest is applied, and the label `version` of the object that exists afterwards. */
function predict(pair: ManifestPair, side: 'before' | 'after'): { isApplied: boolean; version?: string } {
  const { key, namespace, resource, kind, strategy, before, after } = pair;
  // the agent does nothing
  if (strategy === 'ReadOnly') return { isApplied: true };
  const hasPlace = namespace === existingNamespace || isClusterScoped(resource.group, kind);
  if (!hasPlace) return { isApplied: false };
  if (side === 'before') return { isApplied: true, version: 'one' };
  if (refusedChanges(key, before, after, strategy).length > 0) return { isApplied: false, version: 'one' };
  return { isApplied: true, version: strategy === 'CreateOnly' ? 'one' : 'two' };
}

function workOf(name: string, pairs: readonly ManifestPair[], side: 'before' | 'after'): KubernetesObject {
  return {
    ...reference(ocmKinds.manifestWork, name, 'joined'),
    spec: {
      workload: { manifests: pairs.map((pair) => pair[side]) },
      manifestConfigs: pairs
        .filter(({ strategy }) => strategy !== 'Update')
        .map(({ resource, namespace, name, strategy }) => ({
          resourceIdentifier: { ...resource, namespace, name },
          updateStrategy: {
            type: strategy,
            ...(strategy === 'ServerSideApply' && { serverSideApply: { force: true } }),
          },
        })),
    },
  };
}

interface Applied {
  readonly status?: string;
  readonly message?: string;
}

interface WorkStatus {
  readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
  readonly resourceStatus?: {
    readonly manifests?: readonly {
      readonly resourceMeta: { readonly ordinal: number };
      readonly conditions: readonly (Applied & {
        readonly type: string;
        readonly observedGeneration?: number;
      })[];
    }[];
  };
}

/** Returns the condition Applied of each manifest, once the agent has reported the present generation. */
async function appliedOf(name: string): Promise<readonly Applied[]> {
  const read = async (): Promise<readonly Applied[]> => {
    const work = await hub.client.get(...ocmKinds.manifestWork, name, 'joined');
    const { conditions = [], resourceStatus } = (work as { status?: WorkStatus } | undefined)?.status ?? {};
    const generation = work?.metadata.generation;
    const applied = conditions.find(({ type }) => type === 'Applied');
    expect(applied?.observedGeneration).toBe(generation);
    const manifests = [...(resourceStatus?.manifests ?? [])];
    manifests.sort((a, b) => a.resourceMeta.ordinal - b.resourceMeta.ordinal);
    return manifests.map((manifest) => manifest.conditions.find(({ type }) => type === 'Applied') ?? {});
  };
  let last: readonly Applied[] = [];
  await expect.poll(async () => (last = await read()).length, patience).toBeGreaterThan(0);
  return last;
}

/** Reads the version several times: the agent deletes some StorageClasses and creates them again, whenever it looks. */
async function versionOf(
  { before, namespace, name }: ManifestPair,
  wanted: string | undefined,
): Promise<string | undefined> {
  const { apiVersion, kind } = before as { apiVersion: string; kind: string };
  for (let attempt = 0; ; attempt++) {
    const object = await managed.get(apiVersion, kind, name, ...(namespace === '' ? [] : [namespace]));
    const version = object?.metadata.labels?.['version'];
    if (version === wanted || attempt === 10) return version;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function show({ strategy, before, after }: ManifestPair): string {
  return `${strategy} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
}

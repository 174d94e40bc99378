import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { everyKind } from './apply/every-kind.ts';
import { trackingAnnotation } from './apply/stored.ts';
import { connect, type Hub } from './client/hub.ts';
import { isOfKind, namespaceKind, ocmKinds } from './client/kinds.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// A separate hub: it has a ClusterManager and a Klusterlet, and all of its controllers are left alone for three minutes.
let running: RunningHub;
let hub: Hub;
beforeAll(async () => {
  running = await startHub();
  hub = connect(running);
});
afterAll(async () => {
  hub.close();
  await running.stop();
});

const threeMinutes = 180_000;

test.each(['v1alpha1', 'v1beta1'] as const)(
  'the output of %s still equals Git three minutes after it was applied, for Argo CD and for Flux',
  async (addOnApiVersion) => {
    // The two versions are those of one object: whichever is applied last holds, so they take turns.
    const { objects } = everyKind({ hub: hubVersion('1.3'), addOnApiVersion });
    await applyInOrder(objects);
    await delay(addOnApiVersion === 'v1alpha1' ? threeMinutes : 10_000);
    const drifts: Drift[] = [];
    for (const object of objects) {
      for (const [engine, apply] of Object.entries(engines))
        drifts.push(...(await driftOf(object, engine, apply)));
    }
    expect(drifts).toEqual([]);
  },
);

/** Waves of Argo CD: what the hub deletes where placements have not decided comes last. */
async function applyInOrder(objects: readonly KubernetesObject[]): Promise<void> {
  await hub.watch.follow(
    () => true,
    async (follower) => {
      const rest = async (): Promise<void> => {
        if (!(await follower.still({ quiet: 2500, atMost: 30_000 })))
          throw new Error('the hub does not come to rest');
      };
      const inClusters = new Set(clustersOf(objects));
      const last = objects.filter(
        (object) =>
          isOfKind(object, ocmKinds.managedClusterAddOn) || inClusters.has(object.metadata.namespace ?? ''),
      );
      for (const object of objects) if (!last.includes(object)) await engines.argocd(object);
      for (const cluster of inClusters)
        await expect
          .poll(() => hub.client.get(...namespaceKind, cluster), { timeout: 120_000 })
          .toBeDefined();
      await rest();
      for (const object of last) await engines.argocd(object);
      await rest();
    },
  );
}

function clustersOf(objects: readonly KubernetesObject[]): readonly string[] {
  return objects
    .filter((object) => isOfKind(object, ocmKinds.managedCluster))
    .map(({ metadata }) => metadata.name ?? '');
}

type Apply = (object: KubernetesObject, dryRun?: boolean) => Promise<KubernetesObject>;

/** How each applies: on the server, under its name, Argo CD with a note of the Application. */
const engines = {
  argocd: async ({ status: _, ...object }, dryRun = false) => {
    const { apiVersion, kind, metadata } = object;
    const annotations = { ...metadata.annotations, [trackingAnnotation]: 'every' };
    const noted = { ...object, apiVersion, kind, metadata: { ...metadata, annotations } };
    return await hub.client.apply(noted, { fieldManager: 'argocd-controller', strict: true, dryRun });
  },
  flux: async ({ status: _, ...object }, dryRun = false) =>
    await hub.client.apply(object, { fieldManager: 'kustomize-controller', strict: true, dryRun }),
} as const satisfies Record<string, Apply>;

/** A change that is shown though nobody made it: what an apply would change of an object. */
interface Drift {
  readonly engine: string;
  readonly object: string;
  readonly live: object;
  readonly wanted: object;
}

/** As kubectl diff --server-side: the object as an apply would leave it, beside the object as it is. */
async function driftOf(object: KubernetesObject, engine: string, apply: Apply): Promise<Drift[]> {
  const { apiVersion, kind, metadata } = object;
  const read = async (): Promise<KubernetesObject | undefined> =>
    await hub.client.get(apiVersion, kind, metadata.name ?? '', metadata.namespace);
  for (;;) {
    const stored = await read();
    if (stored === undefined)
      return [{ engine, object: `${kind} ${metadata.name ?? ''}`, live: {}, wanted: object }];
    const applied = await apply(object, true);
    // What the hub writes between the two, such as a status, is no drift.
    if (revisionOf(await read()) !== revisionOf(stored)) continue;
    const [live, wanted] = [withoutWriters(stored), withoutWriters(applied)];
    if (JSON.stringify(live) === JSON.stringify(wanted)) return [];
    return [{ engine, object: `${kind} ${metadata.name ?? ''}`, live, wanted }];
  }
}

function revisionOf(object: KubernetesObject | undefined): string | undefined {
  return (object?.metadata as { readonly resourceVersion?: string } | undefined)?.resourceVersion;
}

/** Who wrote a field is no difference that anybody is shown. */
function withoutWriters({ apiVersion, kind, metadata, ...content }: KubernetesObject): object {
  const left = new Set(['managedFields', 'resourceVersion', 'generation']);
  const kept = Object.entries(metadata).filter(([field]) => !left.has(field));
  return { apiVersion, kind, ...content, metadata: Object.fromEntries(kept) };
}

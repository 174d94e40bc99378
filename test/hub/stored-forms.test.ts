import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitObject } from '../../src/compiler/admit/admit.ts';
import { forHub } from '../../src/compiler/admit/conversion/for-hub.ts';
import { inStableForm } from '../../src/compiler/admit/conversion/stable-form.ts';
import { withoutServerFields } from '../../src/compiler/hub-metadata.ts';
import { hubVersion, type AddOnApiVersion } from '../../src/ocm/hub-version.ts';
import { isJsonList, isJsonMap } from '../../src/base/json/json-map.ts';
import { findKindVersion } from '../../schemas/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { loaded } from '../compiler/admit/loaded.ts';
import { connect, type Hub } from './client/hub.ts';
import { isOfKind, ocmKinds } from './client/kinds.ts';
import { Random } from './differential/random.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { validObjects } from './validation/valid-objects.ts';

// A separate hub: the generated clusters would be part of the sets of other tests. Without webhooks, which reject some of the objects.
let running: RunningHub;
let hub: Hub;
beforeAll(async () => {
  running = await startHub({ admissionWebhooks: false });
  hub = connect(running);
});
afterAll(async () => {
  hub.close();
  await running.stop();
});

test.each([
  { addOnApiVersion: 'v1alpha1', seed: 1 },
  { addOnApiVersion: 'v1beta1', seed: 2 },
] as const)(
  'every field emitted in $addOnApiVersion is stored as emitted after writes in every served version',
  async ({ addOnApiVersion, seed }) => {
    const objects = emittedObjects(addOnApiVersion, seed);
    const ofKind = (kind: string): number => objects.filter((object) => object.kind === kind).length;
    expect(ofKind('ClusterManagementAddOn')).toBeGreaterThan(10);
    expect(ofKind('ManagedClusterAddOn')).toBeGreaterThan(10);
    expect(ofKind('ManagedCluster')).toBeGreaterThan(10);
    const differences: Difference[] = [];
    const queue = objects.values();
    const work = async (): Promise<void> => {
      for (const object of queue) differences.push(...(await differencesOf(object)));
    };
    await Promise.all([work(), work(), work(), work()]);
    expect(differences).toEqual([]);
  },
);

/** Returns generated objects of all kinds in the form in which `synth` writes them. */
function emittedObjects(addOnApiVersion: AddOnApiVersion, seed: number): readonly KubernetesObject[] {
  const target = { hub: hubVersion('1.3'), addOnApiVersion };
  return validObjects(new Random(seed), 200)
    .map((object) => admitObject(loaded(object)).object?.object)
    .filter((object) => object !== undefined)
    .map((object, index) => {
      const metadata = { ...object.metadata, name: `form-${addOnApiVersion}-${index}` };
      return withoutServerFields(inStableForm(forHub({ ...object, metadata }, target)));
    })
    .filter((object) => !isContested(object));
}

/** Clusters that are not accepted, since this hub accepts all, and clusters with the hub's own taints, which it removes. */
function isContested(object: KubernetesObject): boolean {
  if (!isOfKind(object, ocmKinds.managedCluster)) return false;
  const { hubAcceptsClient, taints = [] } = (object['spec'] ?? {}) as {
    readonly hubAcceptsClient?: boolean;
    readonly taints?: readonly Taint[];
  };
  return hubAcceptsClient === false || taints.some(isOfHub);
}

interface Taint {
  readonly key: string;
}

function isOfHub({ key }: Taint): boolean {
  return key.startsWith('cluster.open-cluster-management.io/');
}

interface Difference {
  readonly object: string;
  readonly path: string;
  readonly emitted: unknown;
  readonly stored: unknown;
}

/** Applies an object, writes its metadata and its status in every served version, and returns the fields that differ. */
async function differencesOf(emitted: KubernetesObject): Promise<readonly Difference[]> {
  await hub.client.apply(emitted, { fieldManager: 'argocd-controller', strict: true });
  const { kind } = findKindVersion(emitted.apiVersion, emitted.kind) ?? {};
  for (const { name, status } of kind?.versions ?? []) {
    const inVersion = { ...emitted, apiVersion: `${kind?.group ?? ''}/${name}` };
    await hub.client.merge(inVersion, { metadata: { annotations: { 'example.com/writer': name } } });
    // If a kind has one version, a write of the status converts nothing. An empty status is invalid for some of these kinds.
    if (status && kind?.versions.length !== 1) await hub.client.merge(inVersion, { status: {} }, 'status');
  }
  const stored = isOfKind(emitted, ocmKinds.managedCluster) ? await tainted(emitted) : await read(emitted);
  await hub.client.delete(emitted);
  const { apiVersion, kind: name, metadata } = emitted;
  return [...differingFields(emitted, stored, '')].map((field) => ({
    object: `${apiVersion} ${name} ${metadata.name ?? ''}`,
    ...field,
  }));
}

async function read({ apiVersion, kind, metadata }: KubernetesObject): Promise<KubernetesObject> {
  const object = await hub.client.get(apiVersion, kind, metadata.name ?? '', metadata.namespace);
  if (object === undefined) throw new Error(`${kind} ${metadata.name ?? ''} is not stored`);
  return object;
}

/** Returns a cluster once the hub has written its taints, without the hub's own taint. */
async function tainted(emitted: KubernetesObject): Promise<KubernetesObject> {
  const taintsOf = (object: KubernetesObject) =>
    ((object['spec'] ?? {}) as { readonly taints?: readonly Taint[] }).taints ?? [];
  await expect.poll(async () => taintsOf(await read(emitted)).some(isOfHub), { timeout: 60_000 }).toBe(true);
  const stored = await read(emitted);
  const own = taintsOf(stored).filter((taint) => !isOfHub(taint));
  const { taints: _, ...spec } = stored['spec'] as { readonly taints: unknown };
  return { ...stored, spec: { ...spec, ...(own.length > 0 && { taints: own }) } };
}

function* differingFields(
  emitted: unknown,
  stored: unknown,
  path: string,
): Iterable<Omit<Difference, 'object'>> {
  if (isJsonMap(emitted) && isJsonMap(stored)) {
    for (const [key, value] of Object.entries(emitted))
      yield* differingFields(value, stored[key], `${path}.${key}`);
  } else if (isJsonList(emitted) && isJsonList(stored) && emitted.length === stored.length) {
    for (const [index, item] of emitted.entries())
      yield* differingFields(item, stored[index], `${path}[${index}]`);
  } else if (emitted !== stored) yield { path, emitted, stored };
}

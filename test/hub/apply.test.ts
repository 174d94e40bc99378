import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitObject } from '../../src/compiler/admit/admit.ts';
import { forHub, type TargetHub } from '../../src/compiler/admit/conversion/for-hub.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { groupOf } from '../../src/base/names/resource-name.ts';
import type { KubernetesObject, ObjectMeta } from '../../src/base/objects/object-meta.ts';
import { loaded } from '../compiler/admit/loaded.ts';
import { committed, emitted, emittedApps, type Emitted } from './apply/emitted.ts';
import { asEmitted, trackingAnnotation } from './apply/stored.ts';
import { ApiError, UnservedKind } from './client/api-client.ts';
import type { Follower } from './client/hub-watch.ts';
import { connect, type Hub } from './client/hub.ts';
import { isOfKind, namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { Random } from './differential/random.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { namespacesOf } from './record/scenario.ts';
import { validObjects } from './validation/valid-objects.ts';

// A separate hub: the apps have sets with all clusters, including those of other tests.
let running: RunningHub;
let hub: Hub;
/** The API groups that the hub serves before anything is applied. */
let servedGroups: ReadonlySet<string>;
beforeAll(async () => {
  running = await startHub();
  hub = connect(running);
  const { groups } = (await hub.client.read('/apis')) as {
    readonly groups: readonly { readonly name: string }[];
  };
  servedGroups = new Set(['', ...groups.map(({ name }) => name)]);
});
afterAll(async () => {
  hub.close();
  await running.stop();
});

const target: TargetHub = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' };

test.each(emittedApps)('%s is stored as dist/ has it, and applying it again changes nothing', async (app) => {
  const objects = appliedHere(committed(app));
  const { stored, before, after } = await applyTwice({
    fleet: (await emitted(app, target)).fleet,
    objects,
  });
  expect(stored).toEqual(objects);
  expect(after).toEqual(before);
});

// Every shape is compared below, so that some apps show that whole trees are stored, too.
test.each(emittedApps.filter((_, index) => index % 3 === 0))(
  '%s is stored as it is emitted in v1beta1, and applying it again changes nothing',
  async (app) => {
    const { fleet, ...tree } = await emitted(app, { ...target, addOnApiVersion: 'v1beta1' });
    const whole = { fleet, objects: appliedHere(tree.objects) };
    const { stored, before, after } = await applyTwice(whole);
    expect(stored).toEqual(whole.objects);
    expect(after).toEqual(before);
  },
);

test('add-on objects of every shape are returned in v1beta1 as they are emitted', async () => {
  const random = new Random(1);
  const admitted = validObjects(random, 1500)
    .map((object) => admitObject(loaded(object)).object?.object)
    .filter((object) => object !== undefined)
    .filter(isConverted);
  expect(admitted.length).toBeGreaterThan(100);
  for (const object of admitted) {
    const emitted = asEmitted(forHub(object, { ...target, addOnApiVersion: 'v1beta1' }));
    expect(asEmitted(await hub.client.create(emitted, { dryRun: true, strict: true }))).toEqual(emitted);
  }
});

/**
 * Without kinds of other projects, which neither this hub serves nor the app brings. And without clusters that are not let in,
 * since this hub lets in all by itself, or that have taints: the hub adds its own to those of silent clusters, in the same field.
 */
function appliedHere(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const brought = objects.flatMap((object) =>
    object.kind === 'CustomResourceDefinition' ? [(object['spec'] as { readonly group: string }).group] : [],
  );
  const served = new Set([...servedGroups, ...brought]);
  return objects.filter((object) => served.has(groupOf(object.apiVersion)) && !isContested(object));
}

function isContested(object: KubernetesObject): boolean {
  if (!isOfKind(object, ocmKinds.managedCluster)) return false;
  const { hubAcceptsClient, taints } = object['spec'] as { hubAcceptsClient?: boolean; taints?: object };
  return hubAcceptsClient === false || taints !== undefined;
}

/** The webhook of the hub sets the times of taints, and rejects an apply that sets others. */
function withoutTaints(object: KubernetesObject): KubernetesObject {
  if (!isOfKind(object, ocmKinds.managedCluster)) return object;
  const { taints: _, ...spec } = object['spec'] as { readonly taints?: object };
  return { ...object, spec };
}

interface Applied {
  /** Every object as it is stored, but for what is the hub's. */
  readonly stored: readonly object[];
  /** What the API server has of every object before and after it was applied again. */
  readonly before: readonly object[];
  readonly after: readonly object[];
}

async function applyTwice({ fleet, objects }: Emitted): Promise<Applied> {
  return hub.watch.follow(
    () => true,
    async (follower) => {
      for (const object of fleet) await applied(withoutTaints(object));
      await namespacesFor(objects, fleet);
      const clusterAddOns = objects.filter((object) => isOfKind(object, ocmKinds.managedClusterAddOn));
      for (const object of objects) if (!clusterAddOns.includes(object)) await served(object);
      // As sync waves do: an add-on on a cluster that no Placement has decided on yet would be deleted, and made anew.
      await rest(follower);
      for (const object of clusterAddOns) await served(object);
      await rest(follower);
      const firsts = await Promise.all(objects.map(read));
      const again = await Promise.all(objects.map(appliedAgain));
      return {
        stored: firsts.map(asEmitted),
        before: again.flatMap(({ before }) => before),
        after: again.flatMap(({ after }) => after),
      };
    },
  );
}

async function rest(follower: Follower): Promise<void> {
  if (!(await follower.still({ quiet: 2500, atMost: 30_000 })))
    throw new Error('the hub does not come to rest');
}

/** The hub makes the namespaces of clusters in its own time; others that the app does not bring are there before it. */
async function namespacesFor(
  objects: readonly KubernetesObject[],
  fleet: readonly KubernetesObject[],
): Promise<void> {
  const clusters = new Set(
    fleet.filter((object) => isOfKind(object, ocmKinds.managedCluster)).map(({ metadata }) => metadata.name),
  );
  const brought = new Set(
    objects.filter((object) => isOfKind(object, namespaceKind)).map(({ metadata }) => metadata.name),
  );
  for (const name of namespacesOf(objects)) {
    if (clusters.has(name))
      await expect.poll(() => hub.client.get(...namespaceKind, name), { timeout: 120_000 }).toBeDefined();
    else if (!brought.has(name)) await applied(reference(namespaceKind, name));
  }
}

/** As Argo CD applies: on the server, and with a note of the application that the object belongs to. */
async function applied({ status: _, ...object }: KubernetesObject): Promise<KubernetesObject> {
  const { apiVersion, kind, metadata } = object;
  const annotations = { ...metadata.annotations, [trackingAnnotation]: 'fleetwright' };
  const noted = { ...object, apiVersion, kind, metadata: { ...metadata, annotations } };
  return hub.client.apply(noted, { fieldManager: 'argocd-controller', strict: true });
}

/** Applies an object, in the end: the kinds of a CustomResourceDefinition are served some moments after it. */
async function served(object: KubernetesObject): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      await applied(object);
      return;
    } catch (error) {
      const isEarly =
        error instanceof UnservedKind ||
        (error instanceof ApiError && error.refusal.message === '404 page not found\n');
      if (!isEarly || Date.now() > deadline) throw error;
      await delay(100);
    }
  }
}

async function read({ apiVersion, kind, metadata }: KubernetesObject): Promise<KubernetesObject> {
  const object = await hub.client.get(apiVersion, kind, metadata.name ?? '', metadata.namespace);
  if (object === undefined) throw new Error(`${kind} ${metadata.name ?? ''} is not stored`);
  return object;
}

async function appliedAgain(object: KubernetesObject): Promise<Omit<Applied, 'stored'>> {
  const first = await read(object);
  const second = await applied(object);
  if (!isConverted(object) || object.apiVersion.endsWith('/v1alpha1'))
    return { before: [first], after: [second] };
  // What the hub's controllers stored in v1alpha1 may be stored again as the conversion webhook writes it. Every reader
  // sees the same, for the API server fills in defaults as it reads; and that happens once. After that write addon-manager
  // may write its status, in which equal kinds of configuration are in the order of a Go map: the status is not compared.
  const third = await applied(object);
  return {
    before: [first, second].map(withoutStatus),
    after: [second, third].map(withoutStatus),
  };
}

function isConverted(object: KubernetesObject): boolean {
  return isOfKind(object, ocmKinds.managedClusterAddOn) || isOfKind(object, ocmKinds.clusterManagementAddOn);
}

/** Without what changes with a write of the status; `generation` is still there, which changes with every other write. */
function withoutStatus({ apiVersion, kind, metadata, status: _, ...content }: KubernetesObject): object {
  const { resourceVersion: __, managedFields, ...others } = metadata as ObjectMeta & StoredMeta;
  return {
    apiVersion,
    kind,
    metadata: {
      ...others,
      managedFields: managedFields?.filter(({ subresource }) => subresource !== 'status'),
    },
    ...content,
  };
}

interface StoredMeta {
  readonly resourceVersion?: string;
  readonly managedFields?: readonly { readonly subresource?: string }[];
}

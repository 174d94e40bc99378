import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ApiError } from '../client/api-client.ts';
import type { Follower } from '../client/hub-watch.ts';
import type { Hub } from '../client/hub.ts';
import { isOfKind, namespaceKind, ocmKinds, reference } from '../client/kinds.ts';
import { clusterNames, namespacesOf } from './scenario.ts';

/** How long the hub must rest between the steps of applying, in milliseconds. */
const betweenSteps = { quiet: 700, atMost: 20_000 };
/** How long a namespace may take to come, or to go when an earlier scenario had one of that name. In milliseconds. */
const namespaceDeadline = 300_000;

/**
 * Applies the objects of a scenario in steps: first what placements look at, then one placement after the other, then
 * add-ons. The hub rests between the steps, so that its answer does not depend on which of its controllers was faster: a
 * Placement keeps the decisions that it made before the last cluster was known, and the Balance prioritizer counts the
 * decisions of Placements that were made before. ManagedClusterAddOns come before their add-on, which otherwise makes
 * them itself and resolves them before it learns what they ask for.
 */
export async function applyScenario(
  hub: Hub,
  follower: Follower,
  objects: readonly KubernetesObject[],
): Promise<void> {
  await createNamespaces(hub, objects);
  const placements = objects.filter((object) => isOfKind(object, ocmKinds.placement));
  const clusterAddOns = objects.filter((object) => isOfKind(object, ocmKinds.managedClusterAddOn));
  const addOns = objects.filter((object) => isOfKind(object, ocmKinds.clusterManagementAddOn));
  const later = new Set([...placements, ...clusterAddOns, ...addOns]);
  const steps = [
    objects.filter((object) => !later.has(object) && !isOfKind(object, namespaceKind)),
    ...placements.map((placement) => [placement]),
    [...clusterAddOns, ...addOns],
  ].filter((step) => step.length > 0);
  for (const [index, step] of steps.entries()) {
    if (index > 0) await follower.still(betweenSteps);
    for (const object of step) await applyOne(hub, object);
  }
}

/** Namespaces come first. Those of clusters are left to the hub, others may be missing from the scenario. */
async function createNamespaces(hub: Hub, objects: readonly KubernetesObject[]): Promise<void> {
  const written = new Map(
    objects
      .filter((object) => isOfKind(object, namespaceKind))
      .map((object) => [object.metadata.name, object]),
  );
  const clusters = new Set(clusterNames(objects));
  const created = [...namespacesOf(objects)].filter((name) => !clusters.has(name) || written.has(name));
  await Promise.all(
    created.map((name) => createNamespace(hub, written.get(name) ?? reference(namespaceKind, name))),
  );
}

async function createNamespace({ client }: Hub, namespace: KubernetesObject): Promise<void> {
  const { apiVersion, kind, metadata } = namespace;
  await until(async () => {
    const existing = await client.get(apiVersion, kind, metadata.name ?? '');
    return existing?.metadata.deletionTimestamp === undefined;
  });
  await client.apply(namespace);
}

/** How many requests run at the same time. */
const atOnce = 16;
/** How long the hub must rest before and after add-ons are applied, in milliseconds. */
const beforeAddOns = { quiet: 700, atMost: 120_000 };
const afterAddOns = { quiet: 2_500, atMost: 600_000 };

/**
 * Applies many objects whose order does not matter to the hub's answer, such as add-ons that share clusters, and waits until
 * the hub is still. Each step is applied at once, so that its time follows what the hub has to do.
 */
export async function applyTogether(
  hub: Hub,
  follower: Follower,
  objects: readonly KubernetesObject[],
): Promise<void> {
  await createNamespaces(hub, objects);
  const clusterAddOns = objects.filter((object) => isOfKind(object, ocmKinds.managedClusterAddOn));
  const addOns = objects.filter((object) => isOfKind(object, ocmKinds.clusterManagementAddOn));
  const later = new Set([...clusterAddOns, ...addOns]);
  await applyAll(
    hub,
    objects.filter((object) => !later.has(object) && !isOfKind(object, namespaceKind)),
  );
  await follower.still(beforeAddOns);
  await applyAll(hub, clusterAddOns);
  await applyAll(hub, addOns);
  if (!(await follower.still(afterAddOns))) throw new Error('the hub does not come to rest');
}

async function applyAll(hub: Hub, objects: readonly KubernetesObject[]): Promise<void> {
  const queue = objects.values();
  const applyNext = async (): Promise<void> => {
    for (const object of queue) await applyOne(hub, object);
  };
  await Promise.all(Array.from({ length: atOnce }, applyNext));
}

/** The API server does not take an object of a scenario. */
export class RefusedObject extends Error {
  readonly object: KubernetesObject;

  constructor(object: KubernetesObject, cause: ApiError) {
    super(cause.message, { cause });
    this.object = object;
  }
}

/** Applies one object, and waits for nothing but its namespace. */
export async function applyOne(hub: Hub, object: KubernetesObject): Promise<void> {
  const { status, ...rest } = object;
  const { apiVersion, kind, metadata } = object;
  try {
    await until(() => writtenInNamespace(hub, { ...rest, apiVersion, kind, metadata }));
    if (status !== undefined) await hub.client.merge(object, { status }, 'status');
  } catch (error) {
    if (error instanceof ApiError && error.refusal.reason === 'Invalid')
      throw new RefusedObject(object, error);
    throw error;
  }
}

/** Writes an object, or returns false where its namespace is still missing: the hub makes those of clusters in its own time. */
async function writtenInNamespace({ client }: Hub, object: KubernetesObject): Promise<boolean> {
  try {
    await client.create(object);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isAboutNamespace(error)) return false;
    if (error.refusal.reason !== 'AlreadyExists') throw error;
  }
  // It is the update of a rollout, or a ManagedClusterAddOn that the hub was faster to make.
  const { apiVersion, kind, metadata } = object;
  const existing = await client.get(apiVersion, kind, metadata.name ?? '', metadata.namespace);
  if (existing === undefined) return false;
  try {
    await client.replace({
      ...withTaintTimes(object, existing),
      metadata: { ...ownedByHub(existing), ...metadata },
    });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.refusal.reason === 'Conflict') return false;
    throw error;
  }
}

/** What a replacement has to keep: the revision that it replaces, and what the hub's controllers put in. */
function ownedByHub({ metadata }: KubernetesObject): object {
  const { resourceVersion, ownerReferences, finalizers } = metadata as KubernetesObject['metadata'] & {
    readonly resourceVersion: string;
  };
  return { resourceVersion, ...(ownerReferences && { ownerReferences }), ...(finalizers && { finalizers }) };
}

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

/** An updated cluster has the times of the taints that it keeps and none for new ones: OCM's webhook refuses all others. */
function withTaintTimes(object: KubernetesObject, existing: KubernetesObject): KubernetesObject {
  const [written, stored] = [object, existing].map(({ kind, ...rest }) =>
    kind === 'ManagedCluster' ? (rest as { spec?: { taints?: readonly Taint[] } }).spec : undefined,
  );
  if (written?.taints === undefined) return object;
  const identity = ({ key, value = '', effect }: Taint): string => JSON.stringify([key, value, effect]);
  const times = new Map(stored?.taints?.map((taint) => [identity(taint), taint.timeAdded]));
  const taints = written.taints.map((taint) => ({ ...taint, timeAdded: times.get(identity(taint)) }));
  return { ...object, spec: { ...written, taints } };
}

function isAboutNamespace({ refusal: { code, message } }: ApiError): boolean {
  return (
    (code === 404 && message.startsWith('namespaces ')) ||
    (code === 403 && message.includes('because it is being terminated'))
  );
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + namespaceDeadline;
  while (!(await reached())) {
    if (Date.now() > deadline) throw new Error('a namespace does not come, or does not go');
    await delay(50);
  }
}

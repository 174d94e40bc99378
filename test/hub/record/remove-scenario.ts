import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ApiError } from '../client/api-client.ts';
import type { Hub } from '../client/hub.ts';
import { isOfKind, namespaceKind, ocmKinds, reference, type KindOf } from '../client/kinds.ts';
import { belongsTo, namespacesOf } from './scenario.ts';

/** How long the hub's own controllers have to let go of an object before its finalizers are taken away. */
const patience = 10_000;

/**
 * Removes a scenario and all that the hub made of it. Placements go first, then add-ons, then clusters: in that order
 * the hub's controllers clean up after themselves instead of making again what was just removed. Namespaces are left to
 * go in their own time, which is seconds.
 */
export async function removeScenario(hub: Hub, objects: readonly KubernetesObject[]): Promise<void> {
  const belongs = belongsTo(objects);
  const written = (kind: KindOf): readonly KubernetesObject[] =>
    objects.filter((object) => isOfKind(object, kind));
  const existing = async ([apiVersion, kind]: KindOf): Promise<readonly KubernetesObject[]> =>
    (await hub.client.list(apiVersion, kind)).filter(belongs);

  await deleteAll(hub, await existing(ocmKinds.placement));
  await deleteAll(hub, written(ocmKinds.managedClusterAddOn));
  await gone(hub, () => existing(ocmKinds.managedClusterAddOn));
  await deleteAll(hub, written(ocmKinds.clusterManagementAddOn));
  await gone(hub, () => existing(ocmKinds.manifestWork));
  await deleteAll(hub, written(ocmKinds.managedCluster));
  await gone(hub, () => existing(ocmKinds.managedCluster));
  await deleteAll(
    hub,
    objects.filter((object) => !isOfKind(object, namespaceKind)),
  );
  const namespaces = namespacesOf(objects);
  await deleteAll(
    hub,
    [...namespaces].map((name) => reference(namespaceKind, name)),
  );
}

/** Waits until the namespaces of a removed scenario are gone too: until then its names cannot be used again. */
export async function namespacesGone(hub: Hub, objects: readonly KubernetesObject[]): Promise<void> {
  const names = namespacesOf(objects);
  const [apiVersion, kind] = namespaceKind;
  await gone(hub, async () =>
    (await hub.client.list(apiVersion, kind)).filter(({ metadata }) => names.has(metadata.name ?? '')),
  );
}

async function deleteAll(hub: Hub, objects: readonly KubernetesObject[]): Promise<void> {
  await Promise.all(objects.map((object) => hub.client.delete(object)));
}

/** Waits until objects are gone, regardless of which client removes them. */
async function gone(hub: Hub, remaining: () => Promise<readonly KubernetesObject[]>): Promise<void> {
  const deadline = Date.now() + patience;
  for (;;) {
    const objects = await remaining();
    if (objects.length === 0) return;
    if (Date.now() > deadline) {
      await deleteAll(hub, objects);
      await Promise.all(objects.map((object) => letGo(hub, object)));
    }
    await delay(100);
  }
}

async function letGo(hub: Hub, object: KubernetesObject): Promise<void> {
  try {
    await hub.client.merge(object, { metadata: { finalizers: null } });
  } catch (error) {
    // In the meantime the hub may have done so itself.
    if (!(error instanceof ApiError && error.refusal.code === 404)) throw error;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { connect } from '../test/hub/client/hub.ts';
import { startHub } from '../test/hub/process/start-hub.ts';

/**
 * Returns the seconds from the first ManagedClusterAddOn to the last work, on a hub that has all other objects
 * already.
 *
 * @param objects each of the ManagedClusterAddOns among them gets one work
 */
export async function hubRate(objects: readonly KubernetesObject[]): Promise<number> {
  const running = await startHub();
  const hub = connect(running);
  try {
    const addOns = objects.filter(({ kind }) => kind === 'ManagedClusterAddOn');
    await hub.client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
    for (const object of objects) if (object.kind !== 'ManagedClusterAddOn') await hub.client.apply(object);
    await until(async () => {
      const namespaces = new Set(
        (await hub.client.list('v1', 'Namespace')).map(({ metadata }) => metadata.name),
      );
      return addOns.every(({ metadata }) => namespaces.has(metadata.namespace));
    });
    const start = performance.now();
    await Promise.all(addOns.map((addOn) => hub.client.apply(addOn)));
    await until(
      async () =>
        (await hub.client.list('work.open-cluster-management.io/v1', 'ManifestWork')).length >= addOns.length,
    );
    return (performance.now() - start) / 1000;
  } finally {
    hub.close();
    await running.stop();
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await delay(100);
}

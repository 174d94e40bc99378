import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect, type Hub } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { bound, create, install, littleAddOn, registered, uninstall } from './companion/little-add-on.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// The faults that companion-faults.test.ts simulates between companion and hub happen to the hub here: a separate hub, since
// its API server stops.
const patience = { timeout: 120_000 };
const addOn = littleAddOn('enduring', 12);
const { clusters } = addOn;
let running: RunningHub;
let hub: Hub;
/** The companion's access. */
let confined: string;
let companion: RunningCompanion;

beforeAll(async () => {
  running = await startHub();
  hub = connect(running);
  await create(hub.client, addOn);
  const grants = [{ kind: 'ClusterRole', name: 'view' }];
  confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', { grants });
}, 300_000);
afterEach(async () => {
  await companion.stop();
  await uninstall(hub.client, addOn);
}, 120_000);
afterAll(async () => {
  hub.close();
  await running.stop();
});

const allRegistered = async (): Promise<readonly string[]> => await registered(hub.client, addOn);
const allBound = async (): Promise<readonly string[]> => await bound(hub.client, addOn);

/** As it goes for a real one: gone without a word, with a while and a compaction before it is there again. */
async function restart(meanwhile: () => Promise<void> = async () => await delay(500)): Promise<void> {
  await running.cause('kill-api-server');
  await running.cause('compact');
  await meanwhile();
  await running.cause('start-api-server');
}

const lists = async (): Promise<number> =>
  await companion.count(
    'fleetwright_cache_lists_total',
    'resource="managedclusteraddons.addon.open-cluster-management.io"',
  );

/**
 * Has etcd forget what everybody has heard. What is written at that moment the API server hears of without what was there
 * before, and begins anew itself: those who compact leave it minutes for that.
 */
async function compactOnceStill(): Promise<void> {
  let last = '';
  const isStill = async (): Promise<boolean> => {
    const before = last;
    // It is answered once the API server has heard of all that was written before.
    last = JSON.stringify(await hub.client.list(...ocmKinds.managedClusterAddOn));
    return before === last;
  };
  await expect.poll(isStill, { ...patience, interval: 1000 }).toBe(true);
  await running.cause('compact');
}

test('a compaction is not felt by who follows a running API server', async () => {
  companion = startCompanion(confined);
  const [first = '', second = '', third = ''] = clusters;
  await install(hub.client, addOn, first);
  await expect.poll(allRegistered, patience).toEqual([first]);
  const before = await lists();
  await compactOnceStill();
  await install(hub.client, addOn, second);
  await expect.poll(allRegistered, patience).toEqual([first, second].sort());
  await compactOnceStill();
  await install(hub.client, addOn, third);
  await expect.poll(allRegistered, patience).toEqual([first, second, third].sort());
  expect(await lists()).toBe(before);
});

test('an API server that was killed and restarted without its earlier state is listed again', async () => {
  companion = startCompanion(confined);
  const [first = '', second = '', third = ''] = clusters;
  await install(hub.client, addOn, first);
  await expect.poll(allRegistered, patience).toEqual([first]);
  const before = await lists();
  // A watch that has seen the latest write of all is not behind, and continues where it was.
  await hub.client.apply(reference(['v1', 'ConfigMap'], 'later', 'default'));
  const linesWith = (text: string): number =>
    companion.log.lines.filter((line) => line.includes(text)).length;
  await restart(async () => {
    await expect.poll(() => linesWith('ECONNREFUSED'), patience).toBeGreaterThan(0);
  });
  await hub.client.delete(reference(ocmKinds.managedClusterAddOn, addOn.name, first));
  await install(hub.client, addOn, second);
  await install(hub.client, addOn, third);
  const left = [second, third].sort();
  await expect.poll(allRegistered, patience).toEqual(left);
  await expect.poll(allBound, patience).toEqual(left);
  await expect.poll(() => linesWith('too far behind'), patience).toBeGreaterThan(0);
  expect(await lists()).toBeGreaterThan(before);
});

test('an API server that is killed repeatedly in the middle of the work loses none of it', async () => {
  companion = startCompanion(confined);
  for (let round = 0; round < 3; round += 1) {
    for (const cluster of clusters.slice(round * 4, round * 4 + 4)) await install(hub.client, addOn, cluster);
    await restart();
  }
  await expect.poll(allRegistered, patience).toEqual([...clusters].sort());
  expect(await allBound()).toEqual([...clusters].sort());
});

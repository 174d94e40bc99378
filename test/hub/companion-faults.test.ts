import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/client/clock.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { connect } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { companionNamespace, confinedKubeconfig } from './companion/confined-companion.ts';
import { Interruption } from './companion/interruption.ts';
import {
  bound,
  create,
  install,
  littleAddOn,
  registered,
  remove,
  uninstall,
} from './companion/little-add-on.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';

const hub = connect(await sharedHub());
const { kubeconfig } = await sharedHub();
const patience = { timeout: 120_000 };

const addOn = littleAddOn('steadfast', 20);
const { clusters } = addOn;
let interruption: Interruption;
/** The companion's access. */
let confined: string;
let companion: RunningCompanion | undefined;

beforeAll(async () => {
  await create(hub.client, addOn);
  const grants = [{ kind: 'ClusterRole', name: 'view' }];
  confined = await confinedKubeconfig(hub.client, kubeconfig, 'steadfast', { grants });
  interruption = await Interruption.before(confined);
}, 120_000);
afterEach(async () => {
  await companion?.stop();
  companion = undefined;
  await uninstall(hub.client, addOn);
}, 120_000);
afterAll(async () => {
  await interruption.stop();
  await remove(hub.client, addOn);
  hub.close();
}, 120_000);

function start(): RunningCompanion {
  const transport = new HttpTransport({
    server: interruption.url,
    credentials: async () => await Promise.resolve({ headers: {} }),
    clock: systemClock,
    userAgent: 'test',
  });
  companion = startCompanion(confined, {}, { through: () => transport });
  return companion;
}

const allRegistered = async (): Promise<readonly string[]> => await registered(hub.client, addOn);
const allBound = async (): Promise<readonly string[]> => await bound(hub.client, addOn);

/** How often the add-ons on clusters were listed, or watched. */
async function asked(running: RunningCompanion, verb: 'lists' | 'watches'): Promise<number> {
  const resource = 'resource="managedclusteraddons.addon.open-cluster-management.io"';
  return (await running.count(`fleetwright_cache_${verb}_total`, resource)) || 0;
}

test('watches that are cut a hundred times lose nothing, and continue where they were', async () => {
  const running = start();
  const half = clusters.slice(0, 10);
  await expect.poll(() => interruption.watchesBegun, patience).toBeGreaterThan(5);
  await expect.poll(async () => await asked(running, 'watches'), patience).toBeGreaterThan(0);
  const before = interruption.watchesBegun;
  const listed = await asked(running, 'lists');
  for (let cut = 0; cut < 100; cut += 1) {
    interruption.cutWatches();
    const cluster = half[Math.floor(cut / 10)] ?? '';
    if (cut % 10 === 0) await install(hub.client, addOn, cluster);
    await delay(20);
  }
  await expect.poll(allRegistered, patience).toEqual([...half].sort());
  expect(await allBound()).toEqual([...half].sort());
  // Others than that of the add-ons may wait longer until they begin again.
  await expect.poll(() => interruption.watchesBegun - before, patience).toBeGreaterThan(10);
  expect(await asked(running, 'lists')).toBe(listed);
});

test('changes while the API server was down are reconciled when it is back', async () => {
  start();
  const [first = '', second = '', third = ''] = clusters;
  await install(hub.client, addOn, first);
  await expect.poll(allRegistered, patience).toEqual([first]);
  await interruption.away(async () => {
    await install(hub.client, addOn, second);
    await install(hub.client, addOn, third);
    await hub.client.delete(reference(ocmKinds.managedClusterAddOn, addOn.name, first));
    await delay(3000);
  });
  await expect.poll(allRegistered, patience).toEqual([second, third].sort());
  await expect.poll(allBound, patience).toEqual([second, third].sort());
});

test('an API server that has forgotten the versions of before is listed again', async () => {
  const running = start();
  const [first = '', second = ''] = clusters;
  await install(hub.client, addOn, first);
  await expect.poll(allRegistered, patience).toEqual([first]);
  const listed = await asked(running, 'lists');
  await interruption.forgetting(async () => {
    interruption.cutWatches();
    await hub.client.delete(reference(ocmKinds.managedClusterAddOn, addOn.name, first));
    await install(hub.client, addOn, second);
    // Each of them tries again in its own time: those of others say nothing of this one.
    const isOfAddOns = (line: string): boolean =>
      line.includes('too far behind') && line.includes('"resource":"managedclusteraddons"');
    await expect.poll(() => running.log.lines.some(isOfAddOns), patience).toBe(true);
  });
  await expect.poll(allRegistered, patience).toEqual([second]);
  await expect.poll(allBound, patience).toEqual([second]);
  expect(await asked(running, 'lists')).toBeGreaterThan(listed);
});

interface Replica {
  readonly process: ChildProcess;
  readonly messages: string[];
}

function startReplica(): Replica {
  const election = ['--leader-election-namespace', companionNamespace, '--leader-election-name', 'steadfast'];
  // What the image runs.
  const program = path.join(import.meta.dirname, '../../build/fleetwright.mjs');
  const command = [program, 'controller', 'hub', '--kubeconfig', confined];
  const child = spawn(process.execPath, [...command, '--listen', '127.0.0.1:0', ...election], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const messages: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    messages.push((JSON.parse(line) as { readonly message: string }).message);
  });
  return { process: child, messages };
}

function isLeading({ messages }: Replica): boolean {
  return messages.lastIndexOf('leads') > messages.lastIndexOf('is no longer the leader');
}

test('of two replicas one works; when it is killed in the middle the other brings it to its end', async () => {
  const replicas = [startReplica(), startReplica()];
  const [early, late] = [clusters.slice(0, 10), clusters.slice(10)];
  try {
    await expect
      .poll(() => replicas.every(({ messages }) => messages.includes('started')), patience)
      .toBe(true);
    await expect.poll(() => replicas.filter(isLeading).length, patience).toBe(1);
    const installing = early.map(async (cluster, index) => {
      await delay(index * 20);
      await install(hub.client, addOn, cluster);
    });
    await expect.poll(async () => (await allBound()).length, { ...patience, interval: 5 }).toBeGreaterThan(2);
    // If the machine paused for long, the other replica may lead by now.
    await expect.poll(() => replicas.filter(isLeading).length, { ...patience, interval: 5 }).toBe(1);
    const killed = replicas.find(isLeading);
    killed?.process.kill('SIGKILL');
    await Promise.all(installing);
    // The killed replica may have been quick: these are certainly left to the other one.
    for (const cluster of late) await install(hub.client, addOn, cluster);
    await expect.poll(allRegistered, patience).toEqual([...clusters].sort());
    expect(await allBound()).toEqual([...clusters].sort());
    await expect
      .poll(() => replicas.filter((replica) => replica !== killed).map(isLeading), patience)
      .toEqual([true]);
  } finally {
    for (const { process } of replicas) {
      const ended = once(process, 'exit');
      if (process.exitCode !== null || process.signalCode !== null) continue;
      process.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  }
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControllerProcess } from './churn/controller-process.ts';
import { FaultyProxy } from './churn/faulty-proxy.ts';
import { ShardRecord } from './churn/shard-record.ts';
import { connect, type Hub } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { companionNamespace, confinedKubeconfig } from './companion/confined-companion.ts';
import { bound, create, install, littleAddOn, registered } from './companion/little-add-on.ts';
import { Random } from './differential/random.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

/** SHARD_ROUNDS=60 is the run at the desk. */
const rounds = Number(process.env['SHARD_ROUNDS'] ?? '5');
const shards = 5;
const patience = { timeout: 90_000, interval: 500 };
const addOn = littleAddOn('sharded', 20);

let running: RunningHub;
let hub: Hub;
let folder: string;
let confined: string;
const proxies: FaultyProxy[] = [];
const replicas: ControllerProcess[] = [];

beforeAll(async () => {
  running = await startHub();
  hub = connect(running);
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-shards-'));
  await create(hub.client, addOn);
  const grants = [{ kind: 'ClusterRole', name: 'view' }];
  confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', { grants, shards });
}, 300_000);
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  for (const proxy of proxies) await proxy.stop();
  hub.close();
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

/** Starts a replica behind a proxy that records what it writes. */
async function start(name: string, record: ShardRecord, random: Random): Promise<ControllerProcess> {
  const proxy = await FaultyProxy.before(confined, random);
  proxy.onWrite = (write) => record.add(name, write);
  proxies.push(proxy);
  const file = path.join(folder, `${name}.kubeconfig`);
  writeFileSync(
    file,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'hub',
      clusters: [{ name: 'hub', cluster: { server: proxy.url } }],
      users: [{ name: 'replica', user: {} }],
      contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'replica' } }],
    }),
  );
  const replica = new ControllerProcess(name, folder, [
    'hub',
    `--kubeconfig=${file}`,
    `--leader-election-namespace=${companionNamespace}`,
    '--leader-election-name=companion',
    `--shards=${shards}`,
    '--lease-duration=4s',
    '--renew-deadline=3s',
    '--retry-period=500ms',
    '--listen=127.0.0.1:0',
  ]);
  replicas.push(replica);
  return replica;
}

test(
  'replicas that are killed, stopped and suspended at random leave no cluster unserved, and serve none twice',
  { timeout: 240_000 + rounds * 120_000 },
  async () => {
    const random = new Random(1);
    const record = new ShardRecord(shards);
    for (const name of ['a', 'b', 'c']) await start(name, record, random);
    const installed = new Set<string>();
    const change = async (): Promise<void> => {
      const cluster = random.pick(addOn.clusters);
      if (installed.delete(cluster))
        await hub.client.delete(reference(ocmKinds.managedClusterAddOn, addOn.name, cluster));
      else {
        installed.add(cluster);
        await install(hub.client, addOn, cluster);
      }
    };
    const served: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const replica = random.pick(replicas);
      const interruption = random.pick([
        async () => await replica.restart('SIGKILL'),
        async () => await replica.restart('SIGTERM'),
        async () => await replica.suspend(random.between(1000, 9000)),
        async () => {
          await replica.stop('SIGKILL');
          await delay(random.between(1000, 9000));
          await replica.restart('SIGKILL');
        },
      ])();
      for (let changes = 0; changes < 12; changes += 1) {
        await change();
        await delay(random.between(50, 500));
      }
      await interruption;
      const since = performance.now();
      const expected = [...installed].sort();
      await expect.poll(async () => await registered(hub.client, addOn), patience).toEqual(expected);
      await expect.poll(async () => await bound(hub.client, addOn), patience).toEqual(expected);
      served.push(Math.round((performance.now() - since) / 100) / 10);
    }
    const figures = { rounds, writes: record.writes, moves: record.moves(), served };
    process.stderr.write(`${JSON.stringify(figures)}\n`);
    expect(record.violations()).toEqual([]);
    expect(replicas.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`))).toEqual([]);
    expect(record.writes).toBeGreaterThan(rounds * 10);
    expect(Math.max(...record.moves())).toBeGreaterThan(0);
  },
);

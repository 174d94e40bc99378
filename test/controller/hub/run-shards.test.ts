import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/client/clock.ts';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import { readSettings } from '../../../src/controller/configuration/settings.ts';
import { leases } from '../../../src/controller/election/lease.ts';
import { hubFaults, hubSettings } from '../../../src/controller/hub/hub-settings.ts';
import { clusterManagementAddOns, managedClusters } from '../../../src/controller/hub/resources.ts';
import { runHub } from '../../../src/controller/hub/run-hub.ts';
import { isServed } from '../../../src/controller/hub/shard.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { answerJson, FakeApiServer } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';

const addOnVersion = 'addon.open-cluster-management.io/v1alpha1';
const clusters = Array.from({ length: 12 }, (_, index) => `cluster${index}`);
const timing = { leaseDuration: '3s', renewDeadline: '2s', retryPeriod: '500ms' };

let server: FakeApiServer;
/** A replica that records the clusters whose add-on it writes. */
interface RunningReplica {
  readonly identity: string;
  readonly written: Set<string>;
  /** Returns the value of a metric. */
  readonly value: (metric: string) => Promise<number>;
  readonly stop: () => Promise<void>;
}

let replicas: RunningReplica[] = [];

beforeEach(async () => {
  server = await FakeApiServer.start();
  // Discovery is no collection of objects.
  server.intercept = ({ url }, response) => {
    const asked = url === '/apis/addon.open-cluster-management.io';
    if (asked) answerJson(response, 200, { versions: [{ version: 'v1alpha1' }] });
    return asked;
  };
  const client = server.client();
  await client.create(clusterManagementAddOns, {
    apiVersion: addOnVersion,
    kind: 'ClusterManagementAddOn',
    metadata: {
      name: 'hello',
      annotations: {
        'addon.open-cluster-management.io/lifecycle': 'self',
        'fleetwright.dev/delivery': 'compiled',
      },
    },
    spec: {},
  });
  for (const name of clusters) await addCluster(name);
});
afterEach(async () => {
  await Promise.all(replicas.map(async ({ stop }) => await stop()));
  replicas = [];
  await server.stop();
});

async function addCluster(name: string): Promise<void> {
  const client = server.client();
  await client.create(managedClusters, {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name },
    spec: { hubAcceptsClient: true },
  });
  await client.create(managedClusterAddOns, {
    apiVersion: addOnVersion,
    kind: 'ManagedClusterAddOn',
    metadata: { name: 'hello', namespace: name },
    spec: {},
  });
}

function start(identity: string, shards = 4): RunningReplica {
  const { value: settings } = readSettings(hubSettings, { listen: '127.0.0.1:0', shards, ...timing }, {});
  const [stop, metrics, log] = [new AbortController(), new Metrics(false), new RecordingLog()];
  const written = new Set<string>();
  const over = server.transport();
  const transport: typeof over = {
    server: over.server,
    send: async (request) => {
      const [, cluster] = /\/namespaces\/([^/]+)\/managedclusteraddons/.exec(request.target) ?? [];
      if (request.method === 'PATCH' && cluster !== undefined) written.add(cluster);
      return await over.send(request);
    },
    close: () => over.close(),
  };
  const run = { settings, transport, namespace: 'companion', identity, clock: systemClock, log, metrics };
  const ended = runHub(run, stop.signal);
  const value = async (metric: string): Promise<number> => {
    const lines = (await metrics.registry.metrics()).split('\n');
    return Number(lines.find((line) => line.startsWith(`fleetwright_${metric} `))?.split(' ')[1]);
  };
  const replica = { identity, written, value, stop: async () => (stop.abort(), await ended) };
  replicas.push(replica);
  return replica;
}

/** Returns the holder of the Lease of each shard; empty without a holder. */
async function holders(count = 4): Promise<readonly string[]> {
  const client = server.client();
  return await Promise.all(
    Array.from({ length: count }, async (_, shard) => {
      const name = { name: `fleetwright-controller-shard-${shard}`, namespace: 'companion' };
      return (await client.get(leases, name))?.spec?.holderIdentity ?? '';
    }),
  );
}

const patience = { timeout: 20_000, interval: 100 };

test('replicas divide the clusters, and each writes only to those of its shards', async () => {
  const [a, b] = [start('a'), start('b')];
  await expect.poll(async () => (await holders()).toSorted(), patience).toEqual(['a', 'a', 'b', 'b']);
  await expect
    .poll(() => [...new Set([...a.written, ...b.written])].sort(), patience)
    .toEqual(clusters.toSorted());
  // Until they saw each other, one may have written for a shard that the other one has now, which then writes too.
  for (const { written } of [a, b]) written.clear();
  const later = clusters.map((name) => `later-${name}`);
  for (const name of later) await addCluster(name);
  await expect.poll(() => [...a.written, ...b.written], patience).toEqual(expect.arrayContaining(later));
  const held = await holders();
  for (const { identity, written } of [a, b])
    for (const cluster of written) {
      const shard = held.findIndex((_, index) => isServed(cluster, { index, count: 4 }));
      expect([cluster, held[shard]]).toEqual([cluster, identity]);
    }
  expect([await a.value('shards'), await b.value('shards')]).toEqual([2, 2]);
  const cached = '_objects{resource="managedclusteraddons.addon.open-cluster-management.io"}';
  await expect
    .poll(async () => (await a.value(`cache${cached}`)) + (await b.value(`cache${cached}`)), patience)
    .toBe(clusters.length + later.length);
});

test('a replica that joins gets shards of the others, and those of one that stops are served again', async () => {
  const a = start('a');
  await expect.poll(async () => await holders(), patience).toEqual(['a', 'a', 'a', 'a']);
  const b = start('b');
  await expect.poll(async () => await holders(), patience).toEqual(['a', 'a', 'b', 'b']);
  await a.stop();
  await expect.poll(async () => await holders(), patience).toEqual(['b', 'b', 'b', 'b']);
  b.written.clear();
  await addCluster('later');
  await expect.poll(() => [...b.written], patience).toContain('later');
  expect(await b.value('shards')).toBe(4);
});

test('replicas with another number of shards wait until all of the earlier ones have stopped', async () => {
  const [a, b] = [start('a', 2), start('b', 2)];
  await expect.poll(async () => (await holders(2)).toSorted(), patience).toEqual(['a', 'b']);
  const later = start('c', 1);
  await a.stop();
  await expect.poll(async () => await holders(2), patience).toEqual(['b', 'b']);
  expect(await later.value('shards')).toBe(0);
  await b.stop();
  await expect.poll(async () => await later.value('shards'), patience).toBe(1);
});

test('shards need leader election', () => {
  const { value } = readSettings(hubSettings, { shards: 2, leaderElection: false }, {});
  expect(hubFaults(value)).toEqual([{ setting: 'shards', message: 'must be 1 without leaderElection' }]);
});

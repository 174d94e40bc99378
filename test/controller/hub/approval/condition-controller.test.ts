import { afterEach, beforeEach, expect, test } from 'vitest';
import { allSynced } from '../../../../src/controller/cache/informer.ts';
import { systemClock, timestamp } from '../../../../src/client/clock.ts';
import { readSettings } from '../../../../src/controller/configuration/settings.ts';
import { EventRecorder } from '../../../../src/controller/events/event-recorder.ts';
import { conditionController } from '../../../../src/controller/hub/approval/condition-controller.ts';
import { Refusals } from '../../../../src/controller/hub/approval/refusals.ts';
import { limitsOf } from '../../../../src/controller/hub/certificate-settings.ts';
import { createHubInformers } from '../../../../src/controller/hub/hub-informers.ts';
import { hubSettings } from '../../../../src/controller/hub/hub-settings.ts';
import { managedClusterAddOns } from '../../../../src/controller/add-on/managed-cluster-add-ons.ts';
import type { ApiClient } from '../../../../src/client/api-client.ts';
import { Metrics } from '../../../../src/controller/operation/metrics.ts';
import type { Controller } from '../../../../src/controller/queue/controller.ts';
import { FakeApiServer } from '../../api-server.ts';
import { RecordingLog } from '../../recording-log.ts';
import { ManualClock } from '../../manual-clock.ts';

const clusters = Array.from({ length: 30 }, (_, index) => `cluster${index}`);

let server: FakeApiServer;
let client: ApiClient;
let end: AbortController;
let following: Promise<unknown>;
let clock: ManualClock;
let refusals: Refusals;
let controller: Controller;
let sent = 0;

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
  for (const namespace of clusters)
    await client.create(managedClusterAddOns, {
      apiVersion: 'addon.open-cluster-management.io/v1alpha1',
      kind: 'ManagedClusterAddOn',
      metadata: { name: 'hello', namespace },
      spec: {},
    });
  [end, clock, refusals] = [new AbortController(), new ManualClock(), new Refusals()];
  const { value: settings } = readSettings(hubSettings, {}, {});
  const [log, metrics] = [new RecordingLog(), new Metrics(false)];
  const informers = createHubInformers({
    client,
    clock: systemClock,
    log,
    metrics: metrics.ofShard().informers,
    resync: settings.resync,
    limits: limitsOf(settings),
  });
  const cache = informers.managedClusterAddOns;
  following = cache.run(end.signal);
  await allSynced([cache], systemClock, end.signal);
  const events = new EventRecorder({ client, clock, log, component: 'test', instance: 'test' });
  controller = conditionController({
    hub: { client, informers, settings, events, clock, log },
    refusals,
  });
  await clock.pass(5000);
});

afterEach(async () => {
  end.abort();
  await following;
  await server.stop();
});

function refuse(cluster: string, request: string, isFromAgent: boolean): void {
  const [reason, message] = ['UsagesRefused', `${request}: no`];
  sent += 1;
  const created = timestamp(sent * 1000);
  refusals.record(`${cluster}/hello`, { request, reason, message, isFromAgent, created });
}

/** Looks at an add-on; returns after how long it is to be looked at again. */
async function look(cluster: string): Promise<number | undefined> {
  const result = await controller.reconcile(`${cluster}/hello`, {
    signal: end.signal,
    log: new RecordingLog(),
  });
  return result?.requeueAfter;
}

function writes(): number {
  return server.requests.filter((line) => line.startsWith('PATCH')).length;
}

test('a condition is written at most every five seconds, however many requests are refused', async () => {
  for (let index = 0; index < 100; index += 1) {
    refuse('cluster1', `r${index}`, true);
    await look('cluster1');
  }
  expect([writes(), await look('cluster1')]).toEqual([1, 5000]);
  await clock.pass(5000);
  expect([await look('cluster1'), writes()]).toEqual([undefined, 2]);
});

test('requests in the name of every cluster do not have every condition written at once', async () => {
  for (const cluster of clusters) refuse(cluster, `of-${cluster}`, false);
  const waits: (number | undefined)[] = [];
  for (const cluster of clusters) waits.push(await look(cluster));
  expect(waits).toEqual([...Array<undefined>(20).fill(undefined), ...Array<number>(10).fill(10_000)]);
  expect(writes()).toBe(20);
  await clock.pass(10_000);
  expect([await look('cluster20'), await look('cluster21')]).toEqual([undefined, 10_000]);
});

test('requests of clusters themselves are reported too', async () => {
  for (const cluster of clusters) refuse(cluster, `of-${cluster}`, false);
  for (const cluster of clusters) await look(cluster);
  refuse('cluster29', 'own', true);
  await clock.pass(5000);
  await look('cluster29');
  const { status } =
    (await client.get(managedClusterAddOns, { name: 'hello', namespace: 'cluster29' })) ?? {};
  expect(status?.conditions).toMatchObject([{ status: 'False', message: 'own: no' }]);
});

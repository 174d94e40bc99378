import { afterEach, beforeEach, expect, test } from 'vitest';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import { EventRecorder } from '../../../src/controller/events/event-recorder.ts';
import { CauseEvents } from '../../../src/controller/status/cause-events.ts';
import type { CauseChange } from '../../../src/controller/status/cause-history.ts';
import type { ApiObject } from '../../../src/client/object.ts';
import { namespacedResource } from '../../../src/client/resource.ts';
import { FakeApiServer } from '../api-server.ts';
import { ManualClock } from '../manual-clock.ts';
import { RecordingLog } from '../recording-log.ts';

let server: FakeApiServer;
beforeEach(async () => {
  server = await FakeApiServer.start();
});
afterEach(async () => await server.stop());

interface WrittenEvent extends ApiObject {
  readonly involvedObject?: { readonly name?: string; readonly namespace?: string; readonly uid?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
}
const eventResource = namespacedResource<WrittenEvent>('v1', 'Event', 'events');

function reporter() {
  const [clock, log] = [new ManualClock(), new RecordingLog()];
  const client = server.client(clock);
  const counted: Record<string, number> = {};
  const events = new EventRecorder({ client, clock, log, component: 'fleetwright-status', instance: 'one' });
  const reports = new CauseEvents({
    client,
    events,
    clock,
    log,
    onEvents: (result, count = 1) => (counted[result] = (counted[result] ?? 0) + count),
  });
  const report = async (changes: readonly CauseChange[]): Promise<void> =>
    await reports.report(changes, new AbortController().signal);
  const written = async (): Promise<readonly string[]> =>
    (await client.list(eventResource))
      .map(({ type, reason, message, involvedObject: { namespace, name } = {} }) =>
        [type, `${namespace}/${name}`, `${reason}:`, message].join(' '),
      )
      .sort();
  return { clock, log, counted, report, written };
}

function install(name: string, cluster: string, metadata: object = {}): void {
  const { apiVersion, kind } = managedClusterAddOns;
  server.seed(managedClusterAddOns, {
    apiVersion,
    kind,
    metadata: { name, namespace: cluster, ...metadata },
  });
}

const change = (cluster: string, state: string, code?: string, addOn = 'hello'): CauseChange => ({
  addOn,
  cluster,
  state,
  cause: code === undefined ? undefined : { code, message: `why ${cluster}` },
  before: 'as predicted',
});

test('faults are warnings, and everything else is normal', async () => {
  for (const cluster of ['c1', 'c2', 'c3', 'c4']) install('hello', cluster);
  const { report, written, counted } = reporter();
  await report([
    change('c1', 'different', 'manifest-conflict'),
    change('c2', 'unhealthy', 'lease-not-renewed'),
    change('c3', 'on the way', 'wave-not-reached'),
    { ...change('c4', 'as predicted'), before: 'unhealthy, degraded' },
  ]);
  expect(await written()).toEqual([
    'Normal c3/hello WaveNotReached: on the way: why c3 (before: as predicted)',
    'Normal c4/hello AsPredicted: as predicted (before: unhealthy, degraded)',
    'Warning c1/hello ManifestConflict: different: why c1 (before: as predicted)',
    'Warning c2/hello LeaseNotRenewed: unhealthy: why c2 (before: as predicted)',
  ]);
  expect(counted).toEqual({ written: 4 });
});

test('there is no Event about an add-on that is gone or being deleted', async () => {
  install('hello', 'c1', { deletionTimestamp: '2026-01-31T12:00:00Z' });
  const { report, written, counted } = reporter();
  await report([
    change('c1', 'on the way', 'deletion-pending'),
    change('c2', 'different', 'namespace-missing'),
  ]);
  expect(await written()).toEqual([]);
  expect(counted).toEqual({});
});

test('a change of all clusters at once is bounded: faults first, and the rest is counted and logged', async () => {
  const clusters = Array.from({ length: 10_000 }, (_, index) => `c${index}`);
  for (const cluster of clusters.slice(0, 200)) install('hello', cluster);
  for (const cluster of clusters.slice(5000, 5200)) install('hello', cluster);
  const { report, written, counted, log, clock } = reporter();
  const storm = [
    ...clusters.slice(0, 5000).map((cluster) => change(cluster, 'on the way', 'wave-not-reached')),
    ...clusters.slice(5000).map((cluster) => change(cluster, 'unhealthy', 'cluster-unavailable')),
  ];
  await report(storm);
  const events = await written();
  expect(events).toHaveLength(50);
  expect(events.filter((event) => event.startsWith('Warning c5'))).toHaveLength(50);
  expect(counted).toEqual({ written: 50, dropped: 9950 });
  expect(log.lines).toEqual([
    'warn too many causes changed: Events are dropped {"events":9950,"addOns":1,"most":"hello"}',
  ]);
  // One more every 6 s.
  await clock.pass(60_000);
  await report(storm);
  expect(counted).toEqual({ written: 60, dropped: 19_940 });
});

test('an add-on with many changes leaves Events to others, and what is on the way leaves half of them to faults', async () => {
  const clusters = Array.from({ length: 60 }, (_, index) => `c${index}`);
  for (const cluster of clusters) for (const name of ['busy', 'hello']) install(name, cluster);
  const { report, written } = reporter();
  await report(clusters.map((cluster) => change(cluster, 'on the way', 'hub-pending', 'busy')));
  expect((await written()).length).toBe(25);
  await report(clusters.map((cluster) => change(cluster, 'unhealthy', 'degraded', 'busy')));
  expect((await written()).length).toBe(50);
  await report([change('c1', 'on the way', 'hub-pending')]);
  expect((await written()).filter((event) => event.includes('/hello'))).toHaveLength(1);
});

test('all add-ons together are bounded too', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
  const clusters = Array.from({ length: 40 }, (_, index) => `c${index}`);
  for (const cluster of clusters) for (const name of names) install(name, cluster);
  const { report, counted } = reporter();
  await report(
    names.flatMap((name) => clusters.map((cluster) => change(cluster, 'unhealthy', 'degraded', name))),
  );
  expect(counted).toEqual({ written: 500, dropped: 300 });
});

test('a cluster whose cause changes all the time has its own limit, and what is dropped is counted and logged', async () => {
  install('hello', 'c1');
  const { report, counted, log } = reporter();
  for (let reading = 0; reading < 30; reading += 1) {
    const code = reading % 2 === 0 ? 'manifest-conflict' : 'manifest-failed';
    await report([change('c1', 'different', code)]);
  }
  expect(counted).toEqual({ written: 25, dropped: 5 });
  expect(log.lines).toHaveLength(5);
});

test('a refusal is counted and logged, and the next Event is written', async () => {
  install('hello', 'c1');
  install('hello', 'c2');
  const { report, written, counted, log } = reporter();
  server.intercept = ({ method, url = '' }, response) => {
    if (method !== 'POST' || !url.includes('/c1/')) return false;
    response.writeHead(403, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' }));
    return true;
  };
  await report([
    change('c1', 'different', 'manifest-conflict'),
    change('c2', 'different', 'manifest-conflict'),
  ]);
  expect(await written()).toEqual([expect.stringContaining('c2/hello')]);
  expect(counted).toEqual({ failed: 1, written: 1 });
  expect(log.lines).toEqual([expect.stringContaining('an Event was not written')]);
});

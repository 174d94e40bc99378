import { expect, test } from 'vitest';
import { hubChecks } from '../../../src/controller/hub/hub-health.ts';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import { health } from '../../../src/controller/operation/health.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { runControllers } from '../../../src/controller/queue/controller.ts';
import type { WorkQueue } from '../../../src/controller/queue/work-queue.ts';
import { Informer } from '../../../src/controller/cache/informer.ts';
import { ApiClient } from '../../../src/client/api-client.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

const minute = 60_000;
const elections = [{ overdue: 0 }];

test('a reconciliation that never ends is reported until it has ended', async () => {
  const [clock, log, stop] = [new ManualClock(), new RecordingLog(), new AbortController()];
  const queues = new Set<WorkQueue>();
  const healthy = health(hubChecks([{ caches: [], queues }], elections), log);
  let end = (): void => undefined;
  const controller = {
    name: 'add-on',
    sources: [
      { subscribe: (enqueue: (key: string) => void) => (enqueue('cluster1/hello'), () => undefined) },
    ],
    reconcile: async () => await new Promise<undefined>((resolve) => (end = () => resolve(undefined))),
  };
  const running = runControllers(
    [controller],
    { clock, log, metrics: new Metrics(false).ofShard(), queues },
    stop.signal,
  );
  await clock.pass(14 * minute);
  expect(healthy()).toBe(true);
  await clock.pass(2 * minute);
  expect([healthy(), healthy()]).toEqual(
    Array(2).fill('the queue add-on has worked on cluster1/hello for 16 min'),
  );
  expect(log.lines).toEqual([
    'error not well {"fault":"the queue add-on has worked on cluster1/hello for 16 min"}',
  ]);
  end();
  await clock.pass(1);
  expect(healthy()).toBe(true);
  stop.abort();
  await running;
  expect(queues.size).toBe(0);
});

/** A cache over a server that gives such answers. */
function cacheOver(send: Transport['send']) {
  const [clock, stop] = [new ManualClock(), new AbortController()];
  const client = new ApiClient({ server: '', send, close: () => undefined }, { clock, fieldManager: 'test' });
  const cache = new Informer(managedClusterAddOns, { client, clock, log: new RecordingLog() });
  void cache.run(stop.signal);
  return {
    clock,
    stop,
    healthy: health(hubChecks([{ caches: [cache], queues: [] }], elections), new RecordingLog()),
  };
}

test('a cache whose request never ends is reported', async () => {
  const { clock, stop, healthy } = cacheOver(async () => await new Promise(() => undefined));
  await clock.pass(19 * minute);
  expect(healthy()).toBe(true);
  await clock.pass(2 * minute);
  expect(healthy()).toBe('the cache of managedclusteraddons has received nothing for 21 min');
  stop.abort();
});

test('a cache whose server is away is well', async () => {
  const { clock, stop, healthy } = cacheOver(async () => await Promise.reject(new Error('ECONNREFUSED')));
  await clock.pass(60 * minute);
  expect(healthy()).toBe(true);
  stop.abort();
});

test('work that continues after the lease is lost is reported', () => {
  const healthy = health(hubChecks([], [{ overdue: 0 }, { overdue: 61_000 }]), new RecordingLog());
  expect(healthy()).toBe('the lease was lost 1 min ago, and work continues');
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunningTask } from '../../../src/controller/agent/repeated-task.ts';
import { heartbeat } from '../../../src/controller/agent/heartbeat.ts';
import { leases } from '../../../src/controller/election/lease.ts';
import { FakeApiServer, refuse } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

const lease = { namespace: 'agents', name: 'hello' };
let server: FakeApiServer;
beforeEach(async () => {
  server = await FakeApiServer.start();
});
afterEach(async () => await server.stop());

/** A clock that moves on only when all requests are answered: how fast the machine is makes no difference. */
const newClock = (): ManualClock => new ManualClock(async () => await server.answered());

function beating(probe: () => true | string = () => true) {
  const [clock, log, stop] = [newClock(), new RecordingLog(), new AbortController()];
  const client = server.client(clock);
  const options = { client, clock, log, lease, period: 60_000, probe: () => Promise.resolve(probe()) };
  const task = new RunningTask(heartbeat(options), { clock, log });
  const ended = task.run(stop.signal);
  return { clock, log, duty: task, stop: async () => (stop.abort(), await ended) };
}

const renewTime = async (): Promise<string | undefined> =>
  (await server.client().get(leases, lease))?.spec?.renewTime;
const beats = (): number => server.requests.filter((request) => request.startsWith('PATCH')).length;

test('a heartbeat makes the Lease, and renews it once a period', async () => {
  const { clock, duty: task, stop } = beating();
  await clock.pass(0);
  expect(await renewTime()).toBe('2026-01-31T12:00:00.000000Z');
  expect(task.state).toBe(true);
  await clock.pass(200_000);
  // A tenth earlier where the dice fall so, as those of this clock do.
  expect(beats()).toBe(4);
  expect(await renewTime()).toBe('2026-01-31T12:02:42.000000Z');
  expect((await server.client().get(leases, lease))?.spec?.leaseDurationSeconds).toBe(60);
  await stop();
});

test('while the probe fails the Lease expires, which is reported once', async () => {
  let well = true;
  const { clock, log, stop } = beating(() => well || 'it answers 503');
  await clock.pass(0);
  expect(beats()).toBe(1);
  well = false;
  await clock.pass(300_000);
  expect(beats()).toBe(1);
  expect(log.lines.filter((line) => !line.startsWith('debug'))).toEqual([
    'warn the probe fails, so the lease is not renewed {"probe":"it answers 503"}',
  ]);
  well = true;
  await clock.pass(60_000);
  expect(beats()).toBe(2);
  expect(log.lines.at(-2)).toBe('info the probe passes again {}');
  await stop();
});

test('an unavailable API server does not stop the heartbeat: it continues within half a minute', async () => {
  const { clock, duty: task, stop } = beating();
  await clock.pass(0);
  expect(beats()).toBe(1);
  const { port } = server;
  await server.stop();
  await clock.pass(600_000);
  expect(task.state).toMatch(/^heartbeat: PATCH .*: connect ECONNREFUSED/);
  await server.listen(port);
  await clock.pass(60_000);
  expect(task.state).toBe(true);
  await stop();
});

test('a request that the server calls invalid is retried rarely', async () => {
  server.intercept = (_request, response) => {
    refuse(response, 422, 'Invalid', 'no such namespace');
    return true;
  };
  const { clock, duty: task, stop } = beating();
  await clock.pass(299_000);
  expect(beats()).toBe(1);
  expect(task.state).toBe(
    'heartbeat: PATCH /apis/coordination.k8s.io/v1/namespaces/agents/leases/hello: no such namespace',
  );
  await clock.pass(5_000);
  expect(beats()).toBe(2);
  await stop();
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { LeaderElection } from '../../../src/controller/election/leader-election.ts';
import { leases } from '../../../src/controller/election/lease.ts';
import { ApiClient } from '../../../src/client/api-client.ts';
import { FakeApiServer } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

const lease = { name: 'controller', namespace: 'default' };
let server: FakeApiServer;
beforeEach(async () => {
  server = await FakeApiServer.start();
});
afterEach(async () => await server.stop());

/** A replica with its own clock that runs for `leading` lines. */
function replica(identity: string, clock: ManualClock, client = server.client(clock)) {
  const [stop, history] = [new AbortController(), [] as string[]];
  const election = new LeaderElection({ client, clock, log: new RecordingLog(), ...lease, identity });
  const ended = election.run(async (leading) => {
    history.push('leads');
    await new Promise((resolve) => leading.addEventListener('abort', resolve, { once: true }));
    history.push('stops');
  }, stop.signal);
  return { election, history, stop: async () => (stop.abort(), await ended) };
}

const holder = async (): Promise<string | undefined> =>
  (await server.client().get(leases, lease))?.spec?.holderIdentity;

/** A clock that moves on only when all requests are answered: how fast the machine is makes no difference. */
const newClock = (): ManualClock => new ManualClock(async () => await server.answered());

test('of two replicas one leads; when it stops the other does at once', async () => {
  const clock = newClock();
  const a = replica('a', clock);
  await expect.poll(() => a.history).toEqual(['leads']);
  const b = replica('b', clock);
  await clock.pass(30_000);
  expect([a.history, b.history]).toEqual([['leads'], []]);
  expect(await holder()).toBe('a');
  await a.stop();
  expect(await holder()).toBe('');
  await clock.pass(5_000);
  expect([a.history, b.history]).toEqual([['leads', 'stops'], ['leads']]);
  expect(await server.client().get(leases, lease)).toMatchObject({
    spec: { holderIdentity: 'b', leaseTransitions: 1, leaseDurationSeconds: 15 },
  });
  await b.stop();
});

test('if the leader is silent, the other replica waits for the full lease', async () => {
  const [clockOfA, clockOfB] = [newClock(), newClock()];
  const a = replica('a', clockOfA);
  await expect.poll(() => a.history).toEqual(['leads']);
  const b = replica('b', clockOfB);
  // As if the machine of a were suspended: only the time of b passes.
  await clockOfB.pass(14_000);
  expect(b.history).toEqual([]);
  await clockOfB.pass(4_000);
  expect(b.history).toEqual(['leads']);
  expect(a.history).toEqual(['leads']);
  // The machine of a goes on: it may no longer write, before anything had time to notice.
  clockOfA.stall(18_000);
  expect([a.history, a.election.holds()]).toEqual([['leads'], false]);
  await clockOfA.pass(1);
  await expect.poll(() => a.history).toEqual(['leads', 'stops']);
  await Promise.all([a.stop(), b.stop()]);
});

test('who cannot renew stops before another can begin', async () => {
  const clock = newClock();
  const a = replica('a', clock);
  await expect.poll(() => a.history).toEqual(['leads']);
  server.intercept = (_, response) => {
    response.destroy();
    return true;
  };
  await clock.pass(9_000);
  expect([a.history, a.election.holds()]).toEqual([['leads'], true]);
  await clock.pass(3_000);
  expect([a.history, a.election.holds()]).toEqual([['leads', 'stops'], false]);
  server.intercept = undefined;
  await clock.pass(10_000);
  expect(a.history).toEqual(['leads', 'stops', 'leads']);
  await a.stop();
});

test('a clock that people set changes nothing', async () => {
  const clock = newClock();
  const a = replica('a', clock);
  await expect.poll(() => a.history).toEqual(['leads']);
  const b = replica('b', clock);
  for (const step of [3_600_000, -7_200_000, 86_400_000]) {
    clock.step(step);
    await clock.pass(20_000);
  }
  expect([a.history, b.history]).toEqual([['leads'], []]);
  await Promise.all([a.stop(), b.stop()]);
});

test('a Lease without a spec, which Kubernetes allows, has no holder', async () => {
  const { apiVersion, kind } = leases;
  await server.client().create(leases, { apiVersion, kind, metadata: lease });
  const a = replica('a', newClock());
  await expect.poll(() => a.history).toEqual(['leads']);
  expect(await holder()).toBe('a');
  await a.stop();
});

test('a Lease that loses its spec is taken again, and ends nothing', async () => {
  const clock = newClock();
  const a = replica('a', clock);
  await expect.poll(() => a.history).toEqual(['leads']);
  const client = server.client();
  const held = await client.get(leases, lease);
  if (held === undefined) throw new Error('no Lease');
  const { spec: _spec, ...rest } = held;
  await client.update(leases, rest);
  await clock.pass(30_000);
  expect(await holder()).toBe('a');
  expect(a.history.at(-1)).toBe('leads');
  await a.stop();
});

test('two that begin together do not both lead', async () => {
  const clock = newClock();
  const replicas = ['a', 'b', 'c', 'd'].map((identity) => replica(identity, clock));
  await clock.pass(10_000);
  expect(replicas.flatMap(({ history }) => history)).toEqual(['leads']);
  await Promise.all(replicas.map(async ({ stop }) => await stop()));
});

test('one request that is not answered does not cost the lease', async () => {
  const clock = newClock();
  const transport = server.transport(clock);
  let silent = false;
  const client = new ApiClient(transport, { clock, fieldManager: 'test', patience: 500 });
  const a = replica('a', clock, client);
  const history = async (): Promise<readonly string[]> => (await clock.pass(500), a.history);
  await expect.poll(history).toEqual(['leads']);
  server.intercept = () => {
    const isSilent = silent;
    silent = false;
    return isSilent;
  };
  for (let round = 0; round < 3; round += 1) {
    silent = true;
    await clock.pass(5500);
    expect(silent).toBe(false);
  }
  expect([a.history, a.election.holds()]).toEqual([['leads'], true]);
  await a.stop();
});

test('the lease is renewed while work ends, and work in flight ends if the lease is lost then', async () => {
  const clock = newClock();
  const [stop, history] = [new AbortController(), [] as string[]];
  const options = { client: server.client(clock), clock, log: new RecordingLog(), ...lease, identity: 'a' };
  const election = new LeaderElection(options);
  const ended = election.run(async (leading) => {
    await aborted(leading);
    history.push('begins nothing more');
    await aborted(election.signal);
    history.push('ends');
    await clock.sleep(70_000);
  }, stop.signal);
  await expect.poll(() => election.holds()).toBe(true);
  stop.abort();
  await clock.pass(30_000);
  expect([history, election.holds(), await holder()]).toEqual([['begins nothing more'], true, 'a']);
  server.intercept = (_, response) => {
    response.destroy();
    return true;
  };
  await clock.pass(12_000);
  expect([history, election.holds()]).toEqual([['begins nothing more', 'ends'], false]);
  await clock.pass(60_000);
  expect(election.overdue).toBeGreaterThan(55_000);
  await clock.pass(20_000);
  await ended;
  expect(election.overdue).toBe(0);
});

test('work that fails ends the election, and the lease is released', async () => {
  const clock = newClock();
  const options = { client: server.client(clock), clock, log: new RecordingLog(), ...lease, identity: 'a' };
  const failing = new LeaderElection(options).run(
    async () => await Promise.reject(new Error('a fault')),
    new AbortController().signal,
  );
  await expect(failing).rejects.toThrow('a fault');
  expect(await holder()).toBe('');
});

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultTiming, LeaderElection } from '../../../src/controller/election/leader-election.ts';
import { leases } from '../../../src/controller/election/lease.ts';
import { replicasAnnotation } from '../../../src/controller/election/replica-beats.ts';
import { ReplicaGroup } from '../../../src/controller/election/replica-group.ts';
import type { Claims, Replica } from '../../../src/controller/election/shard-claims.ts';
import { answerJson, FakeApiServer } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

const lease = { name: 'controller', namespace: 'default' };
let server: FakeApiServer;
beforeEach(async () => {
  server = await FakeApiServer.start();
});
afterEach(async () => await server.stop());

/** A clock that moves on only when all requests are answered. */
const newClock = (): ManualClock => new ManualClock(async () => await server.answered());

/** A replica that sees the others before each renewal, and claims one shard. `work` is what it still has to end. */
function replica(identity: string, clock: ManualClock, group = '4 shards', work = Promise.resolve()) {
  const [stop, log] = [new AbortController(), new RecordingLog()];
  const history: string[] = [];
  const seen: { others: readonly Replica[] } = { others: [] };
  const client = server.client(clock);
  const replicas = new ReplicaGroup({ client, clock, log, ...lease, group, identity, timing: defaultTiming });
  const ended = replicas.run(() => {
    history.push('joins');
    return {
      claim: (others): Claims => {
        seen.others = others;
        return { leads: [identity.length], waitsFor: [] };
      },
      end: async () => {
        history.push('ends');
        await work;
      },
    };
  }, stop.signal);
  return {
    replicas,
    history,
    log,
    others: () => seen.others.map(({ id }) => id).sort(),
    claims: () => seen.others,
    stop: async () => (stop.abort(), await ended),
  };
}

test('replicas of a group see each other and their claims, and notice who stops', async () => {
  const clock = newClock();
  const group = [replica('a', clock), replica('bb', clock), replica('ccc', clock)] as const;
  const [a, b, c] = group;
  await clock.pass(8000);
  expect(group.map(({ others }) => others())).toEqual([
    ['bb', 'ccc'],
    ['a', 'ccc'],
    ['a', 'bb'],
  ]);
  expect(a.claims()).toEqual(expect.arrayContaining([expect.objectContaining({ id: 'bb', leads: [2] })]));
  expect(group.map(({ replicas }) => replicas.holds())).toEqual([true, true, true]);
  await c.stop();
  await clock.pass(4500);
  expect(a.others()).toEqual(['bb']);
  await Promise.all([a.stop(), b.stop()]);
  expect([a.history, b.history, c.history]).toEqual(Array.from({ length: 3 }, () => ['joins', 'ends']));
});

test('a replica that is killed counts until its claims have not changed for the duration of the lease', async () => {
  const [clock, clockOfB] = [newClock(), newClock()];
  const a = replica('a', clock);
  const b = replica('bb', clockOfB);
  await clock.pass(3000);
  await clockOfB.pass(3000);
  await clock.pass(3000);
  expect(a.others()).toEqual(['bb']);
  // The time of b stands still: it renews nothing.
  await clock.pass(10_000);
  expect(a.others()).toEqual(['bb']);
  await clock.pass(8_000);
  expect(a.others()).toEqual([]);
  clockOfB.stall(20_000);
  expect(b.replicas.holds()).toBe(false);
  await clockOfB.pass(1);
  await Promise.all([a.stop(), b.stop()]);
});

test('while a replica without shards leads, the group waits, and the other way round', async () => {
  const clock = newClock();
  const [stop, history] = [new AbortController(), [] as string[]];
  const election = new LeaderElection({
    client: server.client(clock),
    clock,
    log: new RecordingLog(),
    ...lease,
    identity: 'whole',
  });
  const ended = election.run(async (leading) => {
    history.push('leads');
    await new Promise((resolve) => leading.addEventListener('abort', resolve, { once: true }));
  }, stop.signal);
  await expect.poll(() => history).toEqual(['leads']);
  const a = replica('a', clock);
  await clock.pass(40_000);
  expect([a.history, a.replicas.hasRead, a.replicas.holds()]).toEqual([[], true, false]);
  expect(a.log.lines).toEqual([
    'info waits until the replicas with another number of shards have stopped {"identity":"a","holder":"whole"}',
  ]);
  stop.abort();
  await ended;
  await clock.pass(5000);
  expect([a.history, a.replicas.holds()]).toEqual([['joins'], true]);
  const other = replica('b', clock, '2 shards');
  await clock.pass(30_000);
  expect([other.history, a.replicas.holds()]).toEqual([[], true]);
  await Promise.all([a.stop(), other.stop()]);
});

test('claims that nobody can read are no replicas', async () => {
  const clock = newClock();
  const a = replica('a', clock);
  await clock.pass(5000);
  for (const text of ['{', '[]', '{"x":1,"y":{"count":"1","leads":[],"waitsFor":[]}}']) {
    const held = await server.client().get(leases, lease);
    if (held === undefined) throw new Error('no Lease');
    const metadata = { ...held.metadata, annotations: { [replicasAnnotation]: text } };
    await server.client().update(leases, { ...held, metadata });
    await clock.pass(5000);
    expect([a.others(), a.replicas.holds()]).toEqual([[], true]);
  }
  await a.stop();
});

test('a group that cannot renew ends its work before other replicas may begin', async () => {
  const clock = newClock();
  const a = replica('a', clock);
  await clock.pass(3000);
  server.intercept = (_, response) => {
    response.destroy();
    return true;
  };
  await clock.pass(13_000);
  expect([a.history, a.replicas.holds()]).toEqual([['joins', 'ends'], false]);
  server.intercept = undefined;
  await clock.pass(10_000);
  expect(a.history).toEqual(['joins', 'ends', 'joins']);
  await a.stop();
});

test('work that goes on after the Lease of the group was lost is overdue', async () => {
  const clock = newClock();
  let endWork = (): void => undefined;
  const work = new Promise<void>((resolve) => (endWork = resolve));
  const a = replica('a', clock, '4 shards', work);
  await clock.pass(3000);
  expect(a.replicas.overdue).toBe(0);
  server.intercept = (_, response) => {
    response.destroy();
    return true;
  };
  await clock.pass(13_000);
  const overdue = a.replicas.overdue;
  await clock.pass(5000);
  expect([a.history, a.replicas.overdue]).toEqual([['joins', 'ends'], overdue + 5000]);
  server.intercept = undefined;
  endWork();
  await clock.pass(5000);
  expect([a.history, a.replicas.overdue]).toEqual([['joins', 'ends', 'joins'], 0]);
  await a.stop();
});

test('a replica that loses most races for the Lease tries again until it must end its work', async () => {
  const clock = newClock();
  const a = replica('a', clock);
  await clock.pass(3000);
  let writes = 0;
  server.intercept = ({ method }, response) => {
    if (method !== 'PUT') return false;
    writes += 1;
    if (writes % 20 === 0) return false;
    answerJson(response, 409, { kind: 'Status', code: 409, reason: 'Conflict', message: 'changed' });
    return true;
  };
  await clock.pass(60_000);
  expect(writes).toBeGreaterThan(100);
  expect([a.history, a.replicas.holds()]).toEqual([['joins'], true]);
  server.intercept = undefined;
  await a.stop();
});

test('a replica that loses all races works on while others of the group renew the Lease, and no longer', async () => {
  const clock = new ManualClock(async () => await server.answered(), 0.5);
  const a = replica('a', clock);
  await clock.pass(3000);
  const refuse: typeof server.intercept = ({ method }, response) => {
    if (method !== 'PUT') return false;
    answerJson(response, 409, { kind: 'Status', code: 409, reason: 'Conflict', message: 'changed' });
    return true;
  };
  const client = server.client();
  for (let second = 0; second < 30; second += 1) {
    server.intercept = undefined;
    const stored = await client.get(leases, lease);
    if (stored === undefined) throw new Error('there is no Lease');
    const renewTime = `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
    await client.update(leases, { ...stored, spec: { ...stored.spec, renewTime } });
    server.intercept = refuse;
    await clock.pass(1000);
  }
  expect([a.history, a.replicas.holds()]).toEqual([['joins'], true]);
  await clock.pass(13_000);
  expect([a.history, a.replicas.holds()]).toEqual([['joins', 'ends'], false]);
  server.intercept = undefined;
  await a.stop();
});

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../src/client/clock.ts';
import { reasonOf } from '../../src/controller/hub/approval/certificate-context.ts';
import { checks, type Check } from '../../src/controller/hub/approval/verdict.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ApiError, type ApiClient, type Impersonated } from './client/api-client.ts';
import { connect } from './client/hub.ts';
import { ocmKinds, reference, roleBinding, type KindOf } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import {
  agentOf,
  createAddOn,
  createAuthority,
  createCluster,
  deleteRequests,
  generatedName,
  goodRequest,
  installAddOn,
  labels,
  requestKind,
} from './companion/fleet.ts';
import { attacked, hostileRequests, type HostileRequest } from './companion/hostile-requests.ts';
import { untilAllowed } from './companion/permissions.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { until } from './companion/until.ts';

const eventKind: KindOf = ['v1', 'Event'];
const { kubeconfig, versions } = await sharedHub();
const hub = connect({ kubeconfig, versions });
const { victim, neighbour, addOn } = attacked;
let companion: RunningCompanion;
/** Where no time passes for the companion, however long this machine takes: in milliseconds of its clock. */
let standsAt: number | undefined;
const clock: Clock = { ...systemClock, elapsed: () => standsAt ?? systemClock.elapsed() };

/** What became of a request that was sent: its name, or why the API server did not take it. */
interface Sent {
  readonly name: string;
  readonly refusal: string | undefined;
}

interface Conditioned extends KubernetesObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly reason: string;
      readonly message: string;
    }[];
    readonly certificate?: string;
  };
}

const sent = new Map<string, Sent>();

const requesters = reference(['rbac.authorization.k8s.io/v1', 'ClusterRole'], 'attacked-requesters');
const everybodyRequests = reference(
  ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
  'attacked-requesters',
);

beforeAll(async () => {
  const rules = [
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests'],
      verbs: ['create', 'get'],
    },
  ];
  await hub.client.apply({ ...requesters, rules });
  // Every attacker may create requests, so that it is not RBAC that refuses them.
  await hub.client.apply({
    ...everybodyRequests,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'attacked-requesters' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }],
  });
  const anybody = { user: 'attacked-anybody', groups: ['system:authenticated'] };
  await untilAllowed(hub.client, anybody, rules);
  await deleteRequests(hub.client);
  await createAuthority(hub.client, 'attacked-authority');
  const authority = { signerName: attacked.signer, authority: 'attacked-authority' };
  for (const name of [addOn, attacked.absentAddOn, attacked.deletedAddOn])
    await createAddOn(hub.client, name, authority);
  await hub.client.apply({ ...reference(ocmKinds.clusterManagementAddOn, attacked.foreignAddOn), spec: {} });
  for (const name of [victim, neighbour, attacked.notAccepted]) await createCluster(hub.client, name);
  await hub.client.apply({
    ...reference(ocmKinds.managedClusterAddOn, attacked.foreignAddOn, victim),
    spec: {},
  });
  const confined = await confinedKubeconfig(hub.client, kubeconfig, 'attacked-companion', {
    grants: [{ kind: 'ClusterRole', name: 'view' }],
    signers: [
      {
        signerName: attacked.signer,
        signingCA: { name: 'attacked-authority', namespace: 'default' },
      },
    ],
  });
  // All of them are judged: the bound of open requests has a separate test.
  companion = startCompanion(confined, { openRequests: 1000 }, { clock });
  await installAddOn(hub.client, victim, attacked.deletedAddOn);
  const deleted = reference(ocmKinds.managedClusterAddOn, attacked.deletedAddOn, victim);
  await hub.client.merge(deleted, { metadata: { finalizers: ['example.com/attacked'] } });
  await hub.client.delete(deleted);
  // A companion that has registered these knows by then what happened to the others before.
  for (const name of [victim, neighbour, attacked.notAccepted]) await installAddOn(hub.client, name, addOn);
  await hub.client.merge(reference(ocmKinds.managedCluster, attacked.notAccepted), {
    spec: { hubAcceptsClient: false },
  });
  await until('what says that the cluster is not accepted', async () => {
    const found = await addOnCondition(hub.client, addOn, attacked.notAccepted, 'RegistrationApplied');
    return found?.status === 'False';
  });
  for (const hostile of Object.values(hostileRequests).flat()) sent.set(hostile.name, await send(hostile));
}, 300_000);

afterAll(async () => {
  for (const client of clients.values()) client.close();
  await companion.stop();
  const deleted = reference(ocmKinds.managedClusterAddOn, attacked.deletedAddOn, victim);
  await hub.client.merge(deleted, { metadata: { finalizers: null } });
  // The next file on this hub may test what RBAC refuses.
  for (const object of [everybodyRequests, requesters]) await hub.client.delete(object);
  hub.close();
});

async function send({ as, metadata, spec }: HostileRequest): Promise<Sent> {
  const good = goodRequest(victim, addOn, spec);
  const request = { ...good, metadata: { ...good.metadata, ...metadata } };
  return { name: request.metadata.name, refusal: await create(request, as) };
}

const clients = new Map<string, ApiClient>();

/** A client of somebody, always the same: connections take longer to make than requests. */
function clientOf(somebody: Impersonated): ApiClient {
  const key = JSON.stringify(somebody);
  const client = clients.get(key) ?? hub.client.as(somebody);
  clients.set(key, client);
  return client;
}

/** Creates a request as somebody; returns why the API server refuses it, if so. */
async function create(
  request: KubernetesObject,
  as: Impersonated = agentOf(victim),
): Promise<string | undefined> {
  try {
    await clientOf(as).create(request);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.refusal.message;
  }
}

async function read(name: string): Promise<Conditioned | undefined> {
  return await hub.client.get(...requestKind, name);
}

/** `Approved`, `Denied`, or neither. */
async function decisionOn(name: string): Promise<readonly string[]> {
  return ((await read(name))?.status?.conditions ?? []).map(({ type }) => type);
}

/** At first one by one, and of a flood for those who debug. */
const notServed = /^(?:warn|debug) a certificate request is not served /;

interface Refused {
  readonly request: string;
  readonly reason: string;
}

/** The requests that were not served, each time that the companion's log says so. */
function allRefusals(): readonly Refused[] {
  return companion.log.lines
    .filter((line) => notServed.test(line))
    .map((line) => JSON.parse(line.replace(notServed, '')) as Refused);
}

/** Why a request was not served, each time. */
function refusalsOf(name: string): readonly string[] {
  return allRefusals().flatMap(({ request, reason }) => (request === name ? [reason] : []));
}

/** Returns how many requests failed a check. The metric counts them after they are reported one by one. */
async function refused(check: Check): Promise<number> {
  return await companion.count('fleetwright_certificate_requests_refused_total', `check="${check}"`);
}

/** Waits until the metrics count all requests that failed a check according to the log. */
async function untilReported(): Promise<void> {
  const reasons = new Set(checks.map(reasonOf));
  const unreported = async (): Promise<number> => {
    const counts = await Promise.all(checks.map(refused));
    const known = allRefusals().filter(({ reason }) => reasons.has(reason)).length;
    return known - counts.reduce((sum, count) => sum + count, 0);
  };
  await expect.poll(unreported, untilSeen).toBe(0);
}

/** Events about an object, as `reason: message`. */
async function eventsOf(name: string, namespace = 'default'): Promise<readonly string[]> {
  const events = (await hub.client.list(...eventKind, namespace)) as readonly (KubernetesObject & {
    readonly involvedObject: { readonly name: string };
    readonly reason: string;
    readonly message: string;
  })[];
  return events
    .filter((event) => event.involvedObject.name === name)
    .map(({ reason, message }) => `${reason}: ${message}`);
}

const untilSeen = { timeout: 120_000, interval: 200 };

describe.each(Object.entries(hostileRequests))('%s', (_, requests) => {
  test.each(requests)('$name is not approved', async ({ name, refusedBy }) => {
    const isTaken = refusedBy !== 'server';
    const refusals = refusedBy === 'server' || refusedBy === 'nobody' ? [] : [reasonOf(refusedBy)];
    await expect.poll(() => outcomeOf(name), untilSeen).toEqual({ isTaken, refusals, decisions: [] });
  });
});

/** What became of a request by now: whether the API server took it, why it was refused, how it was decided. */
async function outcomeOf(hostile: string): Promise<unknown> {
  const found = sent.get(hostile);
  if (found === undefined) throw new Error(`${hostile} was not sent`);
  const decisions = await decisionOn(found.name);
  return { isTaken: found.refusal === undefined, refusals: refusalsOf(found.name), decisions };
}

test('there are at least 40 of them', () => {
  expect(sent.size).toBeGreaterThan(70);
});

test('a condition of the add-on names the failed check', async () => {
  // It may first report a request that has the name of another cluster: the latest one counts.
  await expect
    .poll(() => conditionOf(victim), untilSeen)
    .toMatchObject({
      status: 'False',
      reason: expect.stringMatching(/^[A-Z][A-Za-z]+Refused$/) as unknown,
      message: expect.stringMatching(/^addon-attacked1-attacked-hello-\w+: /) as unknown,
    });
});

async function conditionOf(cluster: string): Promise<unknown> {
  const found = (await hub.client.get(...ocmKinds.managedClusterAddOn, addOn, cluster)) as Conditioned;
  return found.status?.conditions?.find(({ type }) => type === 'CertificateRequestsServed');
}

describe('after all of that', () => {
  test('a good request of the victim is approved and signed by the API server’s signer', async () => {
    const good = goodRequest(victim, addOn);
    expect(await create(good)).toBeUndefined();
    await expect
      .poll(async () => (await read(good.metadata.name))?.status?.certificate, untilSeen)
      .toEqual(expect.any(String));
  });

  test('nothing but that was approved', async () => {
    const approved: string[] = [];
    for (const request of (await hub.client.list(
      ...requestKind,
      undefined,
      labels.addOn,
    )) as readonly Conditioned[]) {
      const { name = '', labels: found = {} } = request.metadata;
      const isOurs = found[labels.addOn]?.startsWith('attacked-') === true;
      if (isOurs && request.status?.conditions?.some(({ type }) => type === 'Approved') === true)
        approved.push(name);
    }
    expect(approved).toHaveLength(1);
  });
});

describe('requests that build on others', () => {
  test('a request that is replayed is not approved again', async () => {
    const first = goodRequest(neighbour, addOn);
    await create(first, agentOf(neighbour));
    await expect.poll(() => decisionOn(first.metadata.name), untilSeen).toEqual(['Approved']);
    const replayed = { ...first, metadata: { ...first.metadata, name: generatedName(neighbour, addOn) } };
    await create(replayed, agentOf(neighbour));
    await expect.poll(() => refusalsOf(replayed.metadata.name), untilSeen).toEqual(['KeyReuseRefused']);
    expect(await decisionOn(replayed.metadata.name)).toEqual([]);
  });

  test('a request that is replayed by another cluster is not approved', async () => {
    const first = goodRequest(neighbour, addOn);
    const replayed = { ...first, metadata: { ...first.metadata, name: generatedName(victim, addOn) } };
    await create(replayed, agentOf(victim));
    await expect.poll(() => refusalsOf(replayed.metadata.name), untilSeen).toEqual(['NameRefused']);
  });

  test('a request that gets the labels of another cluster is not approved', async () => {
    const name = generatedName(neighbour, addOn);
    const request = goodRequest(victim, addOn);
    const moved = { ...request, metadata: { name, labels: { [labels.cluster]: victim } } };
    await create(moved);
    await hub.client.merge(reference(requestKind, name), {
      metadata: { labels: { [labels.cluster]: neighbour, [labels.addOn]: addOn } },
    });
    await expect.poll(() => refusalsOf(name), untilSeen).toEqual(['RequesterRefused']);
    expect(await decisionOn(name)).toEqual([]);
  });

  test('a registration that the cluster wrote into the status itself counts for nothing', async () => {
    const cluster = 'attacked-liar';
    await createCluster(hub.client, cluster);
    await installAddOn(hub.client, cluster, addOn);
    const status = {
      registrations: [{ signerName: attacked.signer, subject: { user: 'root', groups: ['admins'] } }],
    };
    await clientOf(agentOf(cluster)).merge(
      reference(ocmKinds.managedClusterAddOn, addOn, cluster),
      { status },
      'status',
    );
    const spec = hostileRequests['a request']?.find(({ name }) => name.endsWith('as somebody else'))?.spec;
    const request = goodRequest(cluster, addOn, spec);
    await create(request, agentOf(cluster));
    // The cluster's text is compared with the declaration, until the companion has replaced it.
    await expect.poll(() => refusalsOf(request.metadata.name).at(-1), untilSeen).toBe('CommonNameRefused');
    expect(refusalsOf(request.metadata.name).join(' ')).toMatch(/^((Registration|CommonName)Refused ?)+$/);
    await delay(1000);
    expect(await decisionOn(request.metadata.name)).toEqual([]);
  });

  test('of a flood as many are approved as may be, and then some later', async () => {
    const cluster = 'attacked-flood';
    await createCluster(hub.client, cluster);
    await installAddOn(hub.client, cluster, addOn);
    await untilReported();
    const before = await refused('limit');
    const flood = Array.from({ length: 60 }, () => goodRequest(cluster, addOn));
    await Promise.all(flood.map(async (request) => await create(request, agentOf(cluster))));
    const approved = async (): Promise<number> => {
      const decisions = await Promise.all(flood.map(({ metadata }) => decisionOn(metadata.name)));
      return decisions.filter((found) => found.includes('Approved')).length;
    };
    await expect.poll(approved, untilSeen).toBe(20);
    await expect.poll(() => refused('limit'), untilSeen).toBe(before + 40);
    await delay(1000);
    expect(await approved()).toBe(20);
    expect(await refused('limit')).toBe(before + 40);
  });
});

describe('a flood of requests that are refused', () => {
  afterEach(() => {
    standsAt = undefined;
  });

  const usages = ['server auth'];
  const flood = (cluster: string): ReturnType<typeof goodRequest>[] => {
    const one = goodRequest(cluster, addOn, { usages });
    return Array.from({ length: 300 }, () => ({
      ...one,
      metadata: { ...one.metadata, name: generatedName(cluster, addOn) },
    }));
  };
  const written = async (): Promise<{ readonly events: number; readonly conditions: number }> => {
    const count = async (labels: string): Promise<number> =>
      (await companion.count('fleetwright_api_requests_total', labels)) || 0;
    return {
      events:
        (await count('verb="create",resource="events",code="201"')) +
        (await count('verb="patch",resource="events",code="200"')),
      conditions: await count('verb="apply",resource="managedclusteraddons/status",code="200"'),
    };
  };
  test('of one cluster is reported in few writes, and neither hides nor delays requests of others', async () => {
    const [hostile, calm] = ['attacked-noisy', 'attacked-calm'];
    for (const cluster of [hostile, calm]) {
      await createCluster(hub.client, cluster);
      await installAddOn(hub.client, cluster, addOn);
    }
    await untilReported();
    const [before, refusedBefore, begun] = [await written(), await refused('usages'), Date.now()];
    // Requests within ten seconds are reported together, and this machine may need longer to send them.
    standsAt = clock.elapsed();
    const sending = Promise.all(
      flood(hostile).map(async (request) => await create(request, agentOf(hostile))),
    );
    const [good, bad] = [goodRequest(calm, addOn), goodRequest(calm, addOn, { usages })];
    await create(good, agentOf(calm));
    await create(bad, agentOf(calm));
    await expect
      .poll(() => decisionOn(good.metadata.name), { timeout: 30_000, interval: 50 })
      .toEqual(['Approved']);
    await sending;
    await expect
      .poll(() => eventsOf(bad.metadata.name), untilSeen)
      .toEqual([expect.stringMatching(/^UsagesRefused: /)]);
    await expect.poll(() => refused('usages'), untilSeen).toBe(refusedBefore + 301);
    standsAt = undefined;

    const summary = async (): Promise<readonly string[]> =>
      (await eventsOf(addOn, hostile)).filter((text) => text.startsWith('RequestsRefused: '));
    await expect
      .poll(summary, untilSeen)
      .toEqual([
        expect.stringMatching(
          /^RequestsRefused: 281 more, the latest addon-attacked-noisy-\S+: UsagesRefused 281$/,
        ),
      ]);
    const after = await written();
    // Of 19 requests and of their add-on, how many more there were, of the other cluster's, and what is left of the tests before.
    expect(after.events - before.events).toBeLessThanOrEqual(2 * 19 + 1 + 2 + 4);
    // Of this cluster, of the other, and of what came before.
    expect(after.conditions - before.conditions).toBeLessThanOrEqual(3 * (1 + (Date.now() - begun) / 5000));
  });

  test('in the name of another cluster takes nothing from that cluster', async () => {
    await untilReported();
    const [before, refusedBefore] = [await written(), await refused('requester')];
    const requests = flood('attacked-calm');
    await Promise.all(requests.map(async (request) => await create(request, agentOf(neighbour))));
    await expect.poll(() => refused('requester'), untilSeen).toBe(refusedBefore + 300);
    const bad = goodRequest('attacked-calm', addOn, { usages });
    await create(bad, agentOf('attacked-calm'));
    await expect
      .poll(() => eventsOf(bad.metadata.name), untilSeen)
      .toEqual([expect.stringMatching(/^UsagesRefused: /)]);
    // Of what others send, of all clusters together, and of the cluster's own.
    expect((await written()).events - before.events).toBeLessThanOrEqual(20 + 2);
  });
});

describe('the agent of a cluster', () => {
  test('keeps no permission of a cluster that is not accepted, whatever owners its works have', async () => {
    const [cluster, name] = ['attacked-keeper', 'attacked-keeper'];
    const signer = { signerName: attacked.signer, authority: 'attacked-authority' };
    await createAddOn(hub.client, name, signer);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    const inDefault = { type: 'SingleNamespace', singleNamespace: { namespace: 'default', roleRef } };
    const registration = [{ type: 'KubeClient', kubeClient: { hubPermissions: [inDefault] } }];
    await hub.client.merge(reference(ocmKinds.addOnTemplate, name), { spec: { registration } });
    await createCluster(hub.client, cluster);
    await installAddOn(hub.client, cluster, name);
    const binding = `fleetwright:${name}:${cluster}:clusterrole:view`;
    const isBound = async (): Promise<boolean> =>
      (await hub.client.get(...roleBinding, binding, 'default')) !== undefined;
    await expect.poll(isBound, untilSeen).toBe(true);

    const work = reference(ocmKinds.manifestWork, `addon-${name}-deploy-0`, cluster);
    await hub.client.apply({
      ...work,
      metadata: { ...work.metadata, labels: { [labels.addOn]: name } },
      spec: { workload: { manifests: [reference(['v1', 'ConfigMap'], name, 'default')] } },
    });
    const ownersOf = async (): Promise<readonly unknown[]> => {
      const found = await hub.client.get(...ocmKinds.manifestWork, work.metadata.name ?? '', cluster);
      return (found?.metadata.ownerReferences ?? []).map(({ kind, controller }) => [kind, controller]);
    };
    await expect.poll(ownersOf, untilSeen).toEqual([['ManagedClusterAddOn', true]]);
    const owner = await hub.client.apply({ ...reference(['v1', 'ConfigMap'], 'attacked-owner', cluster) });
    const taken = { apiVersion: 'v1', kind: 'ConfigMap', name: 'attacked-owner', uid: owner.metadata.uid };
    const owned = { metadata: { ownerReferences: [{ ...taken, controller: true }] } };
    const agent = clientOf(agentOf(cluster));
    await expect(agent.merge(work, owned)).rejects.toThrow(
      "cannot set an ownerRef on a resource you can't delete",
    );
    // Other API servers than this one do not run the admission plugin that says so.
    await hub.client.merge(work, owned);
    await expect.poll(ownersOf, untilSeen).toEqual([
      ['ConfigMap', true],
      ['ManagedClusterAddOn', false],
    ]);
    await hub.client.merge(reference(ocmKinds.managedCluster, cluster), {
      spec: { hubAcceptsClient: false },
    });
    await expect.poll(isBound, untilSeen).toBe(false);
  });
});

describe('requests that a person approved', () => {
  const approve = async (name: string): Promise<void> => {
    const condition = { type: 'Approved', status: 'True', reason: 'ByHand', message: 'by hand' };
    await hub.client.merge(reference(requestKind, name), { status: { conditions: [condition] } }, 'approval');
  };

  test.each(['of the registered signer, as somebody else', 'of the registered signer, in system:masters'])(
    '%s: it is not signed',
    async (name) => {
      const request = sent.get(name)?.name ?? '';
      await approve(request);
      await expect.poll(() => refusalsOf(request), untilSeen).toHaveLength(2);
      expect((await read(request))?.status?.certificate).toBeUndefined();
    },
  );
});

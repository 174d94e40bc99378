import { X509Certificate } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allSynced } from '../../../src/controller/cache/informer.ts';
import { oids } from '../../../src/base/certificates/object-identifiers.ts';
import { systemClock } from '../../../src/client/clock.ts';
import { readSettings } from '../../../src/controller/configuration/settings.ts';
import { EventRecorder, events } from '../../../src/controller/events/event-recorder.ts';
import { certificateMetrics } from '../../../src/controller/hub/approval/certificate-context.ts';
import {
  certificateSigningRequests,
  createRequestInformer,
  type CertificateSigningRequestV1,
} from '../../../src/controller/hub/approval/certificate-requests.ts';
import { defaultLimits } from '../../../src/controller/hub/approval/facts.ts';
import { certificateControllers } from '../../../src/controller/hub/certificate-controllers.ts';
import { limitsOf } from '../../../src/controller/hub/certificate-settings.ts';
import { createHubInformers } from '../../../src/controller/hub/hub-informers.ts';
import { hubSettings } from '../../../src/controller/hub/hub-settings.ts';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import {
  addOnTemplates,
  clusterManagementAddOns,
  managedClusters,
} from '../../../src/controller/hub/resources.ts';
import type { ApiClient } from '../../../src/client/api-client.ts';
import type { ApiObject } from '../../../src/client/object.ts';
import { namespacedResource } from '../../../src/client/resource.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { runControllers } from '../../../src/controller/queue/controller.ts';
import { answerJson, FakeApiServer } from '../api-server.ts';
import { authorityCertificate, authoritySecret } from '../../base/certificates/authorities.ts';
import { attribute, newKey } from '../../base/certificates/forged-request.ts';
import { RecordingLog } from '../recording-log.ts';
import { forged, forgedForOwnSigner, registrations, request, user } from './approval/entitled-request.ts';

const secrets = namespacedResource<ApiObject & { readonly data?: object; readonly type?: string }>(
  'v1',
  'Secret',
  'secrets',
);
const time = '2026-01-31T12:00:00Z';
const patience = { timeout: 60_000, interval: 20 };

let server: FakeApiServer;
let client: ApiClient;
let metrics: Metrics;
let log: RecordingLog;
let end: AbortController;
let running: Promise<unknown> = Promise.resolve();

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
  [metrics, log, end] = [new Metrics(false), new RecordingLog(), new AbortController()];
  await client.create(managedClusters, {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: 'cluster1' },
    spec: { hubAcceptsClient: true },
  });
  await client.create(clusterManagementAddOns, {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ClusterManagementAddOn',
    metadata: {
      name: 'hello',
      annotations: {
        'addon.open-cluster-management.io/lifecycle': 'self',
        'fleetwright.dev/delivery': 'compiled',
        'fleetwright.dev/default-template': 'hello',
      },
    },
    spec: {},
  });
  await client.create(addOnTemplates, {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'AddOnTemplate',
    metadata: { name: 'hello' },
    spec: {
      addonName: 'hello',
      agentSpec: {},
      registration: [
        { type: 'KubeClient' },
        {
          type: 'CustomSigner',
          customSigner: {
            signerName: 'example.com/hello',
            signingCA: { name: 'authority' },
            subject: { user: 'hello', groups: ['readers'], organizationUnit: ['edge'] },
          },
        },
      ],
    },
  });
  await client.create(managedClusterAddOns, {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ManagedClusterAddOn',
    metadata: { name: 'hello', namespace: 'cluster1' },
    spec: {},
  });
  await register(registrations);
});

afterEach(async () => {
  end.abort();
  await running;
  await server.stop();
});

async function register(registered: unknown): Promise<void> {
  const name = { name: 'hello', namespace: 'cluster1' };
  await client.merge(
    managedClusterAddOns,
    name,
    { status: { registrations: registered } },
    { subresource: 'status' },
  );
}

/** Runs the controllers of certificates, as `controller hub` does. @returns the caches that they decide by */
async function run(
  flags: Readonly<Record<string, unknown>> = {},
): Promise<ReturnType<typeof createHubInformers>> {
  const { value: settings } = readSettings(hubSettings, flags, {});
  const clock = systemClock;
  const informers = createHubInformers({
    client,
    clock,
    log,
    metrics: metrics.ofShard().informers,
    resync: settings.resync,
    limits: limitsOf(settings),
  });
  const recorder = new EventRecorder({ client, clock, log, component: 'test', instance: 'test' });
  const context = { client, informers, settings, events: recorder, clock, log };
  const caches = Object.values(informers);
  setMaxListeners(0, end.signal);
  const following = caches.map(async (cache) => await cache.run(end.signal));
  await allSynced(caches, clock, end.signal);
  const controllers = certificateControllers(context, {
    metrics: certificateMetrics(metrics),
    namespace: 'companion',
  });
  running = Promise.all([
    ...following,
    runControllers(controllers, { clock, log, metrics: metrics.ofShard() }, end.signal),
  ]);
  return informers;
}

async function send(
  name: string,
  spec: Partial<CertificateSigningRequestV1['spec']> = {},
  metadata: Partial<CertificateSigningRequestV1['metadata']> = {},
): Promise<void> {
  const made = request({ spec, metadata: { ...metadata, name } });
  await client.create(certificateSigningRequests, made);
}

async function conditionsOf(name: string): Promise<unknown> {
  const found = await client.get(certificateSigningRequests, { name });
  return (found?.status?.conditions ?? []).map(({ type, reason, message }) => [type, reason, message]);
}

async function eventsOf(name: string): Promise<readonly string[]> {
  const all = await client.list(events);
  return all
    .filter(({ involvedObject }) => involvedObject?.name === name)
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
}

async function counted(line: string): Promise<boolean> {
  return (await metrics.registry.metrics()).split('\n').includes(line);
}

const first = 'addon-cluster1-hello-aaaaa';
const second = 'addon-cluster1-hello-bbbbb';
const approved = [['Approved', 'FitsRegistration', 'It fits what hello registers on cluster1.']];

test('a request that fits is approved, and counted', async () => {
  await run();
  await send(first);
  await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
  await expect.poll(() => counted('fleetwright_certificate_requests_approved_total 1'), patience).toBe(true);
  expect(await eventsOf(first)).toEqual([]);
});

test('a request that does not fit is left pending; Events of it and of the add-on explain why', async () => {
  await run();
  await send(first, { usages: ['server auth'] });
  const why =
    'its usages are "server auth"; required: client auth and digital signature; optional: key encipherment';
  await expect.poll(() => eventsOf(first), patience).toEqual([`Warning UsagesRefused: ${why}`]);
  await expect.poll(() => eventsOf('hello'), patience).toEqual([`Warning UsagesRefused: ${first}: ${why}`]);
  expect(await conditionsOf(first)).toEqual([]);
  await expect
    .poll(() => counted('fleetwright_certificate_requests_refused_total{check="usages"} 1'), patience)
    .toBe(true);
  expect(await counted('fleetwright_certificate_requests_refused_total{check="key"} 0')).toBe(true);
});

test('with --deny it is denied, but not if it may become valid in time', async () => {
  await register([]);
  await run({ deny: true });
  await send(first);
  await expect.poll(async () => (await eventsOf(first)).length, patience).toBe(1);
  expect(await conditionsOf(first)).toEqual([]);
  await register(registrations);
  await send(second, { usages: ['client auth'] });
  await expect
    .poll(() => conditionsOf(second), patience)
    .toEqual([
      [
        'Denied',
        'DoesNotFitRegistration',
        'usages: its usages are "client auth"; required: client auth and digital signature; optional: key encipherment',
      ],
    ]);
  await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
});

test.each([
  ['is registered', async () => await register(registrations)],
  [
    'is accepted with its cluster',
    async () => {
      await register(registrations);
      await client.merge(managedClusters, { name: 'cluster1' }, { spec: { hubAcceptsClient: false } });
      await client.merge(managedClusters, { name: 'cluster1' }, { spec: { hubAcceptsClient: true } });
    },
  ],
])('a request waits until its add-on %s', async (_, come) => {
  await register([]);
  await run();
  await send(first);
  await expect.poll(async () => (await eventsOf(first)).length, patience).toBe(1);
  await come();
  await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
});

test('of two requests at once with one key, one is approved', async () => {
  await run();
  const spec = { request: forged() };
  await Promise.all([send(first, spec), send(second, spec)]);
  await expect
    .poll(async () => [await conditionsOf(first), await conditionsOf(second)], patience)
    .toContainEqual(approved);
  await expect
    .poll(async () => [...(await eventsOf(first)), ...(await eventsOf(second))], patience)
    .toEqual([expect.stringMatching(/^Warning KeyReuseRefused: its key is that of addon-cluster1-hello-/)]);
  // One is decided before the other is, and counted when the API server has answered.
  await expect.poll(() => counted('fleetwright_certificate_requests_approved_total 1'), patience).toBe(true);
});

test('at most the limit is approved of many at once', async () => {
  await run({ approvalLimit: 3 });
  const names = Array.from({ length: 12 }, (_, index) => `addon-cluster1-hello-${index}`);
  await Promise.all(names.map(async (name) => await send(name, { request: forged() })));
  await expect
    .poll(() => counted('fleetwright_certificate_requests_refused_total{check="limit"} 9'), patience)
    .toBe(true);
  const decided = async (): Promise<readonly unknown[]> => {
    const all = await Promise.all(names.map(async (name) => await conditionsOf(name)));
    return all.filter((conditions) => JSON.stringify(conditions) !== '[]');
  };
  // What is approved is on its way when the others are refused.
  await expect.poll(decided, patience).toHaveLength(3);
});

test('a request whose approval another client changed the object first to change is looked at again', async () => {
  await run();
  let conflicts = 0;
  server.intercept = ({ method, url }, response) => {
    if (method !== 'PATCH' || url?.includes('/approval') !== true || conflicts === 2) return false;
    conflicts += 1;
    response.writeHead(409, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', code: 409, reason: 'Conflict', message: 'modified' }));
    return true;
  };
  await send(first);
  await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
  expect(conflicts).toBe(2);
});

test('ignores a request of an add-on that this companion does not manage', async () => {
  await client.merge(clusterManagementAddOns, { name: 'hello' }, { metadata: { annotations: null } });
  await run();
  await send(first, { usages: ['any'] });
  await send(second);
  // Later, an add-on that is managed: its events come after those that the others would have had.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([await eventsOf(first), await conditionsOf(first)]).toEqual([[], []]);
  expect([await eventsOf(second), await conditionsOf(second)]).toEqual([[], []]);
});

test('a megabyte is not kept in memory', async () => {
  await run();
  await send(first, { request: 'A'.repeat(1_000_000) });
  await expect
    .poll(() => eventsOf(first), patience)
    .toEqual([`Warning SizeRefused: it is larger than ${defaultLimits.requestOctets} bytes`]);
});

test('unused labels and annotations are not stored in memory, and lists are paged', async () => {
  const bulk = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`example.com/${index}`, 'x'.repeat(100)]),
  );
  const { labels, annotations } = request({
    metadata: { annotations: { 'open-cluster-management.io/csr-user': 'agent' } },
  }).metadata;
  await send(first, {}, { labels: { ...labels, ...bulk }, annotations: { ...annotations, ...bulk } });
  const pages: string[] = [];
  server.intercept = ({ url = '' }) => {
    if (url.includes('certificatesigningrequests?')) pages.push(url);
    return false;
  };
  const clock = systemClock;
  const informer = createRequestInformer({
    client,
    clock,
    log,
    resync: 600_000,
    limits: defaultLimits,
  });
  running = informer.run(end.signal);
  await allSynced([informer], clock, end.signal);
  const kept = informer.store.get(first);
  expect(kept?.metadata).toMatchObject({ labels, annotations });
  expect(JSON.stringify(kept).length).toBeLessThan(5000);
  expect(pages[0]).toContain('limit=50');
});

test('a decision is repeated if the API server was too busy for it', async () => {
  let [refusals, isBusy] = [0, true];
  server.intercept = ({ method, url }, response) => {
    if (method !== 'PATCH' || url?.includes('/approval') !== true || !isBusy) return false;
    refusals += 1;
    response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' });
    response.end(JSON.stringify({ kind: 'Status', code: 429, reason: 'TooManyRequests', message: 'busy' }));
    return true;
  };
  await run();
  await send(first);
  await expect.poll(() => refusals, patience).toBeGreaterThan(0);
  await client.merge(managedClusters, { name: 'cluster1' }, { spec: { hubAcceptsClient: false } });
  await expect
    .poll(() => eventsOf(first), patience)
    .toEqual(['Warning ClusterRefused: the hub does not accept the cluster cluster1']);
  isBusy = false;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await conditionsOf(first)).toEqual([]);
  await client.merge(managedClusters, { name: 'cluster1' }, { spec: { hubAcceptsClient: true } });
  await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
});

const approval = [
  { type: 'Approved', status: 'True', reason: 'ByHand', lastUpdateTime: '2026-01-31T12:00:00Z' },
];

test('an approved request of the add-on’s own signer is signed once', async () => {
  await createAuthority();
  await run();
  await send(first, { signerName: 'example.com/hello', request: forgedForOwnSigner() });
  const certificate = async (): Promise<string | undefined> =>
    (await client.get(certificateSigningRequests, { name: first }))?.status?.certificate;
  await expect.poll(certificate, patience).toEqual(expect.any(String));
  await expect
    .poll(() => counted('fleetwright_certificates_signed_total{signer="example.com/hello"} 1'), patience)
    .toBe(true);
  expect(server.requests.filter((line) => line.endsWith(`${first}/status`))).toHaveLength(1);
});

test('an approved request that does not fit is not signed, whatever user approved it', async () => {
  await run();
  await send(first, { signerName: 'example.com/hello' });
  await client.merge(
    certificateSigningRequests,
    { name: first },
    { status: { conditions: approval } },
    { subresource: 'approval' },
  );
  await expect
    .poll(() => eventsOf(first), patience)
    .toContainEqual(expect.stringMatching(/^Warning CommonNameRefused: it is approved, but not signed: /));
  expect(
    (await client.get(certificateSigningRequests, { name: first }))?.status?.certificate,
  ).toBeUndefined();
});

describe('if the template belongs to another add-on', () => {
  const belongTo = async (addonName: string, sharedWith: string | null = null): Promise<void> => {
    const annotations = { 'fleetwright.dev/shared-with': sharedWith };
    await client.merge(addOnTemplates, { name: 'hello' }, { metadata: { annotations }, spec: { addonName } });
  };

  test('nothing is approved and nothing signed until it is shared', async () => {
    await createAuthority();
    await belongTo('logs');
    await run();
    await send(first);
    await send(second, { signerName: 'example.com/hello', request: forgedForOwnSigner() });
    await client.merge(
      certificateSigningRequests,
      { name: second },
      { status: { conditions: approval } },
      { subresource: 'approval' },
    );
    const message = 'it registers nothing with the signer';
    await expect
      .poll(() => eventsOf(first), patience)
      .toEqual([`Warning SignerRefused: ${message} "kubernetes.io/kube-apiserver-client"`]);
    await expect
      .poll(async () => (await eventsOf(second)).at(-1), patience)
      .toBe(`Warning SignerRefused: it is approved, but not signed: ${message} "example.com/hello"`);
    expect(await conditionsOf(first)).toEqual([]);
    await belongTo('logs', 'metrics\nhello');
    await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
    await expect
      .poll(
        async () => (await client.get(certificateSigningRequests, { name: second }))?.status?.certificate,
        patience,
      )
      .toEqual(expect.any(String));
  });
});

test('an approved request of a signer that is not registered is reported, also if it was approved before the start', async () => {
  await createAuthority();
  await send(first, { signerName: 'example.com/other' });
  await client.merge(
    certificateSigningRequests,
    { name: first },
    { status: { conditions: approval } },
    { subresource: 'approval' },
  );
  await run();
  await expect
    .poll(() => eventsOf(first), patience)
    .toEqual([
      'Warning SignerRefused: it is approved, but not signed: it registers nothing with the signer "example.com/other"',
    ]);
});

test('a request that waits for its authority stops reporting that if its signer changes', async () => {
  await run();
  await send(first, { signerName: 'example.com/hello', request: forgedForOwnSigner() });
  await expect
    .poll(() => eventsOf(first), patience)
    .toEqual(['Warning AuthorityUnfit: there is no Secret companion/authority']);
  await client.merge(addOnTemplates, { name: 'hello' }, { spec: { registration: [{ type: 'KubeClient' }] } });
  await expect
    .poll(() => eventsOf(first), patience)
    .toContain(
      'Warning SignerRefused: it is approved, but not signed: it registers nothing with the signer "example.com/hello"',
    );
});

/** A Secret with the authority of the template. */
async function createAuthority(): Promise<object> {
  const key = newKey();
  return await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name: 'authority', namespace: 'companion' },
    data: authoritySecret(key, authorityCertificate(key)),
  });
}

test('nothing is signed for an add-on that is deleted while its authority is read', async () => {
  const authority = await createAuthority();
  let answer: (() => void) | undefined;
  server.intercept = ({ url }, response) => {
    if (url?.includes('/secrets/') !== true) return false;
    answer = () => answerJson(response, 200, authority);
    return true;
  };
  const { managedClusterAddOns: held } = await run();
  await send(first, { signerName: 'example.com/hello', request: forgedForOwnSigner() });
  await expect.poll(() => answer, patience).toBeDefined();
  await client.delete(managedClusterAddOns, { name: 'hello', namespace: 'cluster1' });
  await expect.poll(() => held.store.size, patience).toBe(0);
  answer?.();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const signed = await client.get(certificateSigningRequests, { name: first });
  expect(signed?.status?.conditions).toHaveLength(1);
  expect(signed?.status?.certificate).toBeUndefined();
});

test('nothing is reported about a request that is deleted while its authority is read', async () => {
  let answer: (() => void) | undefined;
  server.intercept = ({ url }, response) => {
    if (url?.includes('/secrets/') !== true) return false;
    answer = () => answerJson(response, 404, { kind: 'Status', code: 404, reason: 'NotFound' });
    return true;
  };
  const { certificateRequests: requests } = await run();
  await send(first, { signerName: 'example.com/hello', request: forgedForOwnSigner() });
  await expect.poll(() => answer, patience).toBeDefined();
  await client.delete(certificateSigningRequests, { name: first });
  await expect.poll(() => requests.store.size, patience).toBe(0);
  answer?.();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await eventsOf(first)).toEqual([]);
  expect(log.lines.filter((line) => line.includes('AuthorityUnfit'))).toEqual([]);
});

test('a template cannot have certificates for the API server signed here', async () => {
  await createAuthority();
  const [own] = registrations;
  const { subject, signerName } = own ?? {};
  const signer = { signerName, signingCA: { name: 'authority' }, subject };
  await client.merge(
    addOnTemplates,
    { name: 'hello' },
    { spec: { registration: [{ type: 'CustomSigner', customSigner: signer }] } },
  );
  await register([own]);
  await run();
  await send(first);
  await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(
    (await client.get(certificateSigningRequests, { name: first }))?.status?.certificate,
  ).toBeUndefined();
  expect(server.requests.filter((line) => line.startsWith('GET') && line.includes('/secrets/'))).toEqual([]);
});

describe('of signers that the settings allow', () => {
  const signed = async (): Promise<string | undefined> =>
    (await client.get(certificateSigningRequests, { name: first }))?.status?.certificate;

  test.each(['example.com/hello=companion/authority', 'example.com/hello=companion/authority:hello'])(
    'a template may use its own: %s',
    async (signer) => {
      await createAuthority();
      await run({ signer: ['example.com/other=companion/other', signer] });
      await send(first, { signerName: 'example.com/hello', request: forgedForOwnSigner() });
      await expect.poll(signed, patience).toEqual(expect.any(String));
    },
  );

  test.each([
    'example.com/hello=companion/other',
    'example.com/hello=elsewhere/authority',
    'example.com/hello=companion/authority:other',
    'example.com/other=companion/authority',
  ])('a template cannot use variables of others: %s', async (signer) => {
    await createAuthority();
    await run({ signer: [signer] });
    await send(first, { signerName: 'example.com/hello', request: forgedForOwnSigner() });
    await expect
      .poll(() => eventsOf(first), patience)
      .toEqual([
        'Warning SignerRefused: the settings allow "example.com/hello" only for another authority or add-on',
      ]);
    await client.merge(
      certificateSigningRequests,
      { name: first },
      { status: { conditions: approval } },
      { subresource: 'approval' },
    );
    await send(second);
    await expect.poll(() => conditionsOf(second), patience).toEqual(approved);
    expect(await signed()).toBeUndefined();
    expect(server.requests.filter((line) => line.startsWith('GET') && line.includes('/secrets/'))).toEqual(
      [],
    );
  });
});

test('of many requests at once the oldest are judged, and each of the others when one before it is gone', async () => {
  await run({ openRequests: 3, approvalLimit: 1000 });
  const bad = Array.from({ length: 3 }, (_, index) => `addon-cluster1-hello-a${index}`);
  const good = Array.from({ length: 5 }, (_, index) => `addon-cluster1-hello-b${index}`);
  for (const name of bad) await send(name, { usages: ['any'] });
  await expect
    .poll(() => counted('fleetwright_certificate_requests_refused_total{check="usages"} 3'), patience)
    .toBe(true);
  for (const name of good) await send(name, { request: forged() });
  await expect
    .poll(() => eventsOf(good[0] ?? ''), patience)
    .toEqual([
      'Warning BacklogRefused: 3 older requests of hello on cluster1 are still open: it waits for them',
    ]);
  expect(await conditionsOf(good[0] ?? '')).toEqual([]);
  // Each that is approved makes room for the next one.
  await client.delete(certificateSigningRequests, { name: bad[0] ?? '' });
  for (const name of good) await expect.poll(() => conditionsOf(name), patience).toEqual(approved);
});

test('requests of others take no place of those of the agent', async () => {
  await run({ openRequests: 3 });
  const username = 'system:open-cluster-management:cluster10:a';
  const names = Array.from({ length: 20 }, (_, index) => `addon-cluster1-hello-a${index}`);
  for (const name of names) await send(name, { username });
  await expect
    .poll(() => counted('fleetwright_certificate_requests_refused_total{check="requester"} 20'), patience)
    .toBe(true);
  await send(first);
  await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
});

test('the content of a request is read once, however often it is judged', async () => {
  await run();
  const name = [[attribute(oids.organization, 'system:masters')], [attribute(oids.commonName, user)]];
  await send(first, { request: forged({ name }) });
  await expect.poll(async () => (await eventsOf(first)).length, patience).toBe(1);
  const reads = (): number =>
    server.requests.filter((line) => line.startsWith('GET') && line.endsWith(first)).length;
  expect(reads()).toBe(1);
  for (let round = 0; round < 5; round += 1) {
    await register([]);
    await register(registrations);
  }
  await send(second);
  await expect.poll(() => conditionsOf(second), patience).toEqual(approved);
  expect(reads()).toBe(1);
});

test('a request that another replaced under its name is judged by its own content', async () => {
  let answer: (() => void) | undefined;
  server.intercept = ({ method, url }, response) => {
    if (method !== 'GET' || url?.endsWith(`/${first}`) !== true || answer !== undefined) return false;
    const good = { ...request({ metadata: { name: first } }) };
    const metadata = { ...good.metadata, uid: 'another', resourceVersion: '1', creationTimestamp: time };
    answer = () => answerJson(response, 200, { ...good, metadata });
    return true;
  };
  await run();
  const name = [[attribute(oids.commonName, 'somebody')]];
  await send(first, { request: forged({ name }) });
  await expect.poll(() => answer, patience).toBeDefined();
  answer?.();
  await register([]);
  await register(registrations);
  await expect
    .poll(() => eventsOf(first), patience)
    .toContainEqual(expect.stringMatching(/^Warning CommonNameRefused: /));
  expect(await conditionsOf(first)).toEqual([]);
});

test('the log leads from each certificate to its request', async () => {
  await createAuthority();
  await run();
  await send(first, {
    signerName: 'example.com/hello',
    request: forgedForOwnSigner(),
    expirationSeconds: 3600,
  });
  const lineOf = (message: string): Readonly<Record<string, unknown>> | undefined => {
    const line = log.lines.find((each) => each.startsWith(`info ${message} `));
    return line === undefined
      ? undefined
      : (JSON.parse(line.slice(line.indexOf('{'))) as Readonly<Record<string, unknown>>);
  };
  await expect.poll(() => lineOf('a certificate was issued'), patience).toBeDefined();
  const who = {
    request: first,
    cluster: 'cluster1',
    addOn: 'hello',
    signer: 'example.com/hello',
    requester: 'system:open-cluster-management:cluster1:x7f2q',
    template: 'hello',
    publicKeySha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
  };
  expect(lineOf('approved a certificate request')).toMatchObject({
    ...who,
    subject: { commonName: 'hello', organizations: ['readers'], organizationalUnits: ['edge'] },
    dnsNames: ['hello.addon.open-cluster-management.io'],
    expirationSeconds: 3600,
  });
  const { status } = (await client.get(certificateSigningRequests, { name: first })) ?? {};
  const certificate = new X509Certificate(Buffer.from(status?.certificate ?? '', 'base64'));
  expect(lineOf('a certificate was issued')).toMatchObject({
    ...who,
    serialNumber: certificate.serialNumber.toLowerCase(),
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: 'O=readers, OU=edge, CN=hello',
    alternativeNames: 'DNS:hello.addon.open-cluster-management.io',
    notAfter: new Date(certificate.validTo).toISOString(),
  });
  expect(log.lines.filter((each) => each.includes('a certificate was issued'))).toHaveLength(1);
});

test('certificates that others sign are in the log too', async () => {
  await run();
  await send(first);
  await expect.poll(() => conditionsOf(first), patience).toEqual(approved);
  const certificate = Buffer.from(authorityCertificate(newKey(), { name: 'signed' })).toString('base64');
  await client.merge(
    certificateSigningRequests,
    { name: first },
    { status: { certificate } },
    { subresource: 'status' },
  );
  await expect
    .poll(() => log.lines.filter((each) => each.includes('a certificate was issued')), patience)
    .toEqual([expect.stringContaining('"subject":"CN=signed"')]);
});

test('a flood is in the log as a summary that names its party', async () => {
  await run({ openRequests: 1000 });
  const names = Array.from({ length: 40 }, (_, index) => `addon-cluster1-hello-a${index}`);
  for (const name of names) await send(name, { usages: ['any'] });
  await expect
    .poll(() => log.lines.filter((line) => line.includes('certificate requests are not served')), patience)
    .toEqual([
      'warn certificate requests are not served {"party":"cluster1/hello","requests":21,"reasons":{"UsagesRefused":21},"latest":"addon-cluster1-hello-a39"}',
    ]);
  expect(
    log.lines.filter((line) => line.startsWith('warn a certificate request is not served')),
  ).toHaveLength(19);
});

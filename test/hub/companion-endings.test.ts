import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import {
  addOnCondition,
  conditionIn,
  conditionWriters,
  type HeldCondition,
} from './companion/add-on-condition.ts';
import {
  deployedAddOn,
  deploymentKind,
  everywhere,
  fleetOf,
  kubeClientRegistration,
  reportReady,
} from './companion/deployed-add-on.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { createAuthority, labels, requestKind, secretKind } from './companion/fleet.ts';
import { HeldCertificates } from './companion/held-certificates.ts';
import { openssl } from './companion/openssl.ts';
import { startAgent, type RunningAgent } from './companion/running-agent.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { clientWith, filesWithCertificate, secretFiles, type SecretFiles } from './companion/secret-files.ts';
import { synthesized } from './companion/synthesized.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// What happens to add-ons when something ends: their agents, their cluster, the hub's API server, or certificates.
// The tests use OCM's own agents, with shorter periods than by default.

const cluster = 'cluster1';
const signerName = 'endings.example.com/seal';
/** Of Leases, in seconds. After five times as long, an agent counts as dead. */
const leaseDuration = 3;
const grace = 5 * leaseDuration * 1000;
/** Of certificates, in seconds. They are renewed when a quarter of that and of five minutes before is left. */
const certificateDuration = 130;
const patience = { timeout: 120_000, interval: 250 };
const leaseKind: KindOf = ['coordination.k8s.io/v1', 'Lease'];
const configMapKind: KindOf = ['v1', 'ConfigMap'];

/** `hello` has access to the hub's API, and its health is that of its Lease. */
const hello = { addOn: 'hello', secret: 'hello-hub-kubeconfig' } as const;
/** `seal` has certificates of its own signer, which the companion signs, and its health is that of its Deployment. */
const seal = { addOn: 'seal', secret: 'seal-endings.example.com-seal-client-cert' } as const;

let running: RunningHub;
let hub: Hub;
let onCluster: ApiClient;
/** The companion's access. */
let confined: string;
let companion: RunningCompanion;
let agent: RunningAgent;
let objects: readonly KubernetesObject[];
let held: Readonly<Record<'hello' | 'seal' | 'cluster', HeldCertificates>>;

beforeAll(async () => {
  const registration = [
    { type: 'CustomSigner', customSigner: { signerName, signingCA: { name: 'seal', namespace: 'default' } } },
  ];
  const app = [
    ...everywhere,
    ...deployedAddOn('hello', {
      annotations: { 'fleetwright.dev/health': 'lease' },
      registration: [kubeClientRegistration('hello-reader')],
    }),
    ...deployedAddOn('seal', { registration }),
  ];
  objects = await synthesized(app, fleetOf(cluster));
  running = await startHub({
    managedCluster: cluster,
    addOnLeaseDuration: `${leaseDuration}s`,
    certificateDuration: `${certificateDuration}s`,
    certificateCheck: '1s',
  });
  hub = connect(running);
  onCluster = new ApiClient(readAccess(managedKubeconfig()));
  await hub.client.merge(reference(ocmKinds.managedCluster, cluster), {
    spec: { leaseDurationSeconds: leaseDuration },
  });
  await hub.client.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'hello-reader' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
  });
  await createAuthority(hub.client, 'seal');
  confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', {
    grants: [{ kind: 'ClusterRole', name: 'hello-reader' }],
    signers: [{ signerName, signingCA: { name: 'seal', namespace: 'default' } }],
  });
  companion = begin();
  for (const object of objects) await hub.client.apply(object);
  held = {
    hello: new HeldCertificates(onCluster, hello.secret, 'hello'),
    seal: new HeldCertificates(onCluster, seal.secret, 'seal'),
    cluster: new HeldCertificates(onCluster, 'hub-kubeconfig-secret', 'open-cluster-management-agent'),
  };
}, 300_000);
afterAll(async () => {
  await Promise.all(Object.values(held).map(async (each) => await each.stop()));
  await agent.stop();
  await companion.stop();
  onCluster.close();
  hub.close();
  await running.stop();
}, 60_000);

function begin(): RunningCompanion {
  return startCompanion(confined, {}, { certificateLifetime: certificateDuration * 1000 });
}

function managedKubeconfig(): string {
  return running.managedCluster?.kubeconfig ?? '';
}

/** The add-on's agent on its cluster, as far as the hub sees it. */
function beginAgent(): RunningAgent {
  return startAgent(
    { kubeconfig: managedKubeconfig(), addOn: 'hello' },
    { namespace: 'hello', period: '1s' },
  );
}

async function available(addOn: string): Promise<HeldCondition | undefined> {
  return await addOnCondition(hub.client, addOn, cluster, 'Available');
}

async function expectAvailable(addOn: string, status: string, reason: string): Promise<void> {
  await expect.poll(async () => await available(addOn), patience).toMatchObject({ status, reason });
}

/** When a Lease was renewed last, in milliseconds since 1970. */
async function renewed(client: ApiClient, name: string, namespace: string): Promise<number> {
  const lease = await client.get(...leaseKind, name, namespace);
  const { renewTime = '' } = (lease?.['spec'] ?? {}) as { readonly renewTime?: string };
  return Date.parse(renewTime);
}

/** Conditions have whole seconds. */
async function expectAfterGrace(addOn: string, lastRenewal: number): Promise<void> {
  const { lastTransitionTime = '' } = (await available(addOn)) ?? {};
  expect(Date.parse(lastTransitionTime)).toBeGreaterThan(lastRenewal + grace - 1000);
}

async function listAs(files: SecretFiles): Promise<readonly KubernetesObject[]> {
  const client = clientWith(files, running.kubeconfig);
  try {
    return await client.list(...configMapKind, cluster);
  } finally {
    client.close();
  }
}

async function expectSealed(files: SecretFiles): Promise<void> {
  const authority = (await secretFiles(hub.client, 'seal', 'default')) ?? {};
  const pem = { 'ca.pem': authority['tls.crt'] ?? '', 'cert.pem': files['tls.crt'] ?? '' };
  expect(openssl(pem, 'verify', '-purpose', 'sslclient', '-CAfile', 'ca.pem', 'cert.pem')).toBe(
    'cert.pem: OK\n',
  );
}

interface Request extends KubernetesObject {
  readonly spec: { readonly signerName: string };
  readonly status: { readonly certificate?: string };
}

async function requestsOf({ addOn }: { readonly addOn: string }): Promise<readonly Request[]> {
  return (await hub.client.list(
    ...requestKind,
    undefined,
    `${labels.cluster}=${cluster},${labels.addOn}=${addOn}`,
  )) as readonly Request[];
}

test('an add-on is unavailable once its agent was silent for the grace of its Lease, and available when it is back', async () => {
  await expect.poll(async () => await onCluster.get(...namespaceKind, 'hello'), patience).toBeDefined();
  await expectAvailable('hello', 'Unknown', 'ManagedClusterAddOnLeaseNotFound');
  agent = beginAgent();
  await expectAvailable('hello', 'True', 'ManagedClusterAddOnLeaseUpdated');

  await agent.stop();
  const last = await renewed(onCluster, 'hello', 'hello');
  await expectAvailable('hello', 'False', 'ManagedClusterAddOnLeaseUpdateStopped');
  await expectAfterGrace('hello', last);

  agent = beginAgent();
  await expectAvailable('hello', 'True', 'ManagedClusterAddOnLeaseUpdated');
});

interface ReportedCondition {
  readonly status: string;
  readonly writers: readonly string[];
}

test('all add-ons of a cluster that stops are unknown after the grace of its Lease, and as before when it is back', async () => {
  await expect
    .poll(async () => await onCluster.get(...deploymentKind, 'seal', 'seal'), patience)
    .toBeDefined();
  await reportReady(onCluster, 'seal', 1);
  await expectAvailable('hello', 'True', 'ManagedClusterAddOnLeaseUpdated');
  await expectAvailable('seal', 'True', 'ProbeAvailable');
  const history: Record<'hello' | 'seal' | 'cluster', ReportedCondition[]> = {
    hello: [],
    seal: [],
    cluster: [],
  };
  const note = (of: ReportedCondition[], object: KubernetesObject, type: string): void => {
    const { status = '' } = conditionIn(object['status'], type) ?? {};
    if (of.at(-1)?.status !== status) of.push({ status, writers: conditionWriters(object, type) });
  };
  const end = new AbortController();
  const watching = Promise.all([
    hub.client.watch(
      ...ocmKinds.managedClusterAddOn,
      ({ type, object }) => {
        if (type === 'BOOKMARK') return;
        note(nameOf(object) === 'hello' ? history.hello : history.seal, object, 'Available');
      },
      end.signal,
    ),
    hub.client.watch(
      ...ocmKinds.managedCluster,
      ({ type, object }) => {
        if (type !== 'BOOKMARK') note(history.cluster, object, 'ManagedClusterConditionAvailable');
      },
      end.signal,
    ),
  ]);
  const statusesOf = (conditions: readonly ReportedCondition[]): string =>
    conditions.map(({ status }) => status).join(' ');
  await expect.poll(() => Object.values(history).map(statusesOf), patience).toEqual(['True', 'True', 'True']);

  await Promise.all([agent.stop(), running.cause('stop-managed-cluster')]);
  // Connections from before break in another way.
  const listing = async (): Promise<unknown> =>
    await onCluster.list(...namespaceKind).catch((error: unknown) => String(error));
  await expect.poll(listing, patience).toContain('ECONNREFUSED');
  const last = await renewed(hub.client, 'managed-cluster-lease', cluster);
  for (const { addOn } of [hello, seal]) {
    await expectAvailable(addOn, 'Unknown', 'ManagedClusterLeaseUpdateStopped');
    await expectAfterGrace(addOn, last);
  }

  await running.cause('start-managed-cluster');
  agent = beginAgent();
  await expectAvailable('hello', 'True', 'ManagedClusterAddOnLeaseUpdated');
  await expectAvailable('seal', 'True', 'ProbeAvailable');
  await expect.poll(() => statusesOf(history.seal), patience).toMatch(/^True( Unknown True)+$/);
  // OCM itself may be of two minds at first, of the cluster and of hello: its hub says Unknown again to a True that comes early.
  await expect.poll(() => history.seal.length <= history.cluster.length, patience).toBe(true);
  expect(statusesOf(history.hello)).toMatch(/^True Unknown\b/);
  end.abort();
  await watching;
  expect(history.hello.flatMap(({ writers }) => writers)).not.toContain('fleetwright-controller');
});

test('requests for certificates that wait while the API server is gone are served when it is back, and works are applied', async () => {
  for (const { addOn, secret } of [hello, seal]) await filesWithCertificate(onCluster, secret, addOn);
  for (const { addOn } of [hello, seal]) await expectNoRenewalSoon(held[addOn]);
  // Without a companion nobody serves the requests for what is lost.
  await companion.stop();
  const earlier = {
    hello: new Set((await requestsOf(hello)).map(nameOf)),
    seal: new Set((await requestsOf(seal)).map(nameOf)),
  };
  for (const { addOn, secret } of [hello, seal]) await onCluster.delete(reference(secretKind, secret, addOn));
  const waiting = async (of: { readonly addOn: string }): Promise<readonly string[]> =>
    (await requestsOf(of)).filter(waitsForCompanion).map(nameOf);
  await expect
    .poll(async () => [await waiting(hello), await waiting(seal)], patience)
    .toEqual([
      expect.arrayContaining([expect.any(String)]) as unknown,
      expect.arrayContaining([expect.any(String)]) as unknown,
    ]);
  const requests = { hello: await waiting(hello), seal: await waiting(seal) };

  await changeWork('before');
  await running.cause('kill-api-server');
  companion = begin();
  await expect.poll(() => companion.log.lines.join('\n'), patience).toContain('ECONNREFUSED');
  await running.cause('start-api-server');

  for (const { addOn } of [hello, seal]) {
    const served = async (): Promise<readonly Request[]> =>
      (await requestsOf({ addOn })).filter((request) => requests[addOn].includes(nameOf(request)));
    await expect
      .poll(async () => (await served()).map(({ status }) => status.certificate), patience)
      .toEqual(requests[addOn].map(() => expect.any(String) as unknown));
    for (const { status } of await served())
      expect(conditionIn(status, 'Approved')?.reason).toBe('FitsRegistration');
    // OCM's agent gives up a request that its cache does not have yet, and makes another.
    const issued = new Set<string>();
    const isHeld = async (): Promise<boolean> => {
      for (const request of await requestsOf({ addOn })) {
        const { certificate = '' } = request.status;
        if (!earlier[addOn].has(nameOf(request))) issued.add(Buffer.from(certificate, 'base64').toString());
      }
      if (held[addOn].all.some(({ files }) => issued.has(files['tls.crt'] ?? ''))) return true;
      await removeIssued({ addOn });
      return false;
    };
    await expect.poll(isHeld, patience).toBe(true);
  }
  await expectWork('before');
  await changeWork('after');
  await expectWork('after');
});

/**
 * Waits until more than half of a certificate's life is left. OCM's agent renews one when a quarter is left, and where the Secret is
 * deleted between its read and its write, it retries the update of the deleted Secret indefinitely.
 */
async function expectNoRenewalSoon({ all }: HeldCertificates): Promise<void> {
  const left = (): number => (all.at(-1)?.end ?? 0) - Date.now();
  await expect.poll(left, patience).toBeGreaterThan((certificateDuration / 2) * 1000);
}

/** OCM's agent makes no request while there are ten. */
const mostRequests = 10;

/** Deletes the issued requests of an add-on if there are too many, as the hub does after an hour. */
async function removeIssued(of: { readonly addOn: string }): Promise<void> {
  const requests = await requestsOf(of);
  if (requests.length < mostRequests) return;
  for (const request of requests)
    if (request.status.certificate !== undefined) await hub.client.delete(request);
}

/** What was approved for the signer of the hub's API is signed without a companion. */
function waitsForCompanion({ spec, status }: Request): boolean {
  if (status.certificate !== undefined) return false;
  return spec.signerName === signerName || conditionIn(status, 'Approved') === undefined;
}

/** Gives the Deployment of hello another label, as a new release would. */
async function changeWork(release: string): Promise<void> {
  const work = objects.find((object) => object.kind === 'ManifestWork' && nameOf(object).includes('hello'));
  const { workload } = (work?.['spec'] ?? {}) as {
    readonly workload: { readonly manifests: readonly KubernetesObject[] };
  };
  const manifests = workload.manifests.map((manifest) =>
    manifest.kind === 'Deployment'
      ? { ...manifest, metadata: { ...manifest.metadata, labels: { release } } }
      : manifest,
  );
  if (work !== undefined) await hub.client.merge(work, { spec: { workload: { manifests } } });
}

async function expectWork(release: string): Promise<void> {
  await expect
    .poll(async () => (await onCluster.get(...deploymentKind, 'hello', 'hello'))?.metadata.labels, patience)
    .toMatchObject({ release });
}

test('a certificate is renewed before it ends, by the signer of the hub’s API and by the companion’s', async () => {
  const { hello: ofHello, seal: ofSeal, cluster: own } = held;
  const [first] = ofHello.all;
  if (first === undefined) throw new Error('hello never held a certificate');
  // So long that nothing would work any more without a renewal.
  await delay(Math.max(0, ...Object.values(held).map(({ all }) => (all[0]?.end ?? 0) - Date.now() + 1000)));

  for (const { all } of [ofHello, ofSeal, own]) {
    const count = async (): Promise<number> => {
      for (const addOn of [hello, seal]) await removeIssued(addOn);
      return all.length;
    };
    await expect.poll(count, patience).toBeGreaterThan(2);
    // Good until the next one was there, and the last one still is.
    for (const [index, { end, until: seen }] of all.entries())
      expect(end).toBeGreaterThan(all[index + 1]?.from ?? seen);
    await expect.poll(() => Date.now() - (all.at(-1)?.until ?? 0), patience).toBeLessThan(5000);
  }
  await expect(listAs(first.files)).rejects.toThrow('Unauthorized');
  expect(await listAs(ofHello.all.at(-1)?.files ?? {})).toEqual(expect.any(Array));
  await expectSealed(ofSeal.all.at(-1)?.files ?? {});
  // The next renewal may have begun.
  const reasons = async (): Promise<ReadonlySet<string | undefined>> => {
    const requests = [...(await requestsOf(hello)), ...(await requestsOf(seal))];
    return new Set(requests.map(({ status }) => conditionIn(status, 'Approved')?.reason));
  };
  await expect.poll(reasons, patience).toEqual(new Set(['FitsRegistration']));
});

test('with renewed certificates the cluster and its add-ons are as they were', async () => {
  const [first] = held.cluster.all;
  await expect
    .poll(async () => await renewed(hub.client, 'managed-cluster-lease', cluster), patience)
    .toBeGreaterThan(first?.end ?? Infinity);
  await changeWork('renewed');
  await expectWork('renewed');
  await expectAvailable('hello', 'True', 'ManagedClusterAddOnLeaseUpdated');
});

function nameOf(object: KubernetesObject | undefined): string {
  return object?.metadata.name ?? '';
}

import { verify } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oids } from '../../src/base/certificates/object-identifiers.ts';
import { attribute, forge, inBase64, newKey } from '../base/certificates/forged-request.ts';
import { connect } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import {
  agentOf,
  createAddOn,
  createAuthority,
  createCluster,
  customRequest,
  deleteRequests,
  generatedName,
  goodRequest,
  installAddOn,
  kubeClient,
  ownSubject,
  requestKind,
  type RequestObject,
} from './companion/fleet.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { until } from './companion/until.ts';

// The load that one cluster, or the writer of one ManagedClusterAddOn, can cause on a companion with its default limits.

const { kubeconfig, versions } = await sharedHub();
const hub = connect({ kubeconfig, versions });
const patience = { timeout: 120_000, interval: 200 };
const [noisy, calm] = ['flood-noisy', 'flood-calm'];
const addOn = 'flood-hello';
const signer = 'flood.example.com/hello';
const hour = { expirationSeconds: 3600 };
let companion: RunningCompanion;
/** Paths and queries of all requests of the companion. */
const targets: string[] = [];

beforeAll(async () => {
  await deleteRequests(hub.client);
  await createAuthority(hub.client, 'flood-authority');
  await createAddOn(hub.client, addOn, { signerName: signer, authority: 'flood-authority' });
  companion = startCompanion(
    kubeconfig,
    { maxCertificateLifetime: '24h' },
    {
      through: (transport) => ({
        server: transport.server,
        send: async (request) => {
          targets.push(request.target);
          return await transport.send(request);
        },
        close: () => transport.close(),
      }),
    },
  );
  for (const cluster of [noisy, calm]) {
    await createCluster(hub.client, cluster);
    await installAddOn(hub.client, cluster, addOn);
  }
}, 300_000);
afterAll(async () => {
  await companion.stop();
  hub.close();
});

async function send(request: RequestObject, cluster: string): Promise<string> {
  const agent = hub.client.as(agentOf(cluster));
  try {
    await agent.create(request);
  } finally {
    agent.close();
  }
  return request.metadata.name;
}

async function statusOf(name: string): Promise<{
  readonly conditions?: readonly { readonly type: string }[];
  readonly certificate?: string;
}> {
  return (await hub.client.get(...requestKind, name))?.['status'] ?? {};
}

async function isApproved(name: string): Promise<boolean> {
  return (await statusOf(name)).conditions?.some(({ type }) => type === 'Approved') === true;
}

/** Why a request was refused at last. */
function refusalOf(name: string): string | undefined {
  const line = companion.log.lines.findLast(
    (each) => each.includes('a certificate request is not served') && each.includes(`"${name}"`),
  );
  return line === undefined
    ? undefined
    : (JSON.parse(line.slice(line.indexOf('{'))) as { readonly refused: string }).refused;
}

async function refused(check: string): Promise<number> {
  return await companion.count('fleetwright_certificate_requests_refused_total', `check="${check}"`);
}

/** Processor time that a verification of a signature takes here, in milliseconds. */
function costOfVerification(): number {
  const key = newKey('P-521');
  const rounds = 20;
  const started = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1)
    verify('sha512', Buffer.alloc(100), key, Buffer.from('3006020101020101', 'hex'));
  return process.cpuUsage(started).user / 1000 / rounds;
}

test('300 requests of a cluster are judged once, the oldest 50 of them, and delay no other cluster', async () => {
  const key = newKey('P-521');
  const { user } = ownSubject(noisy, addOn);
  const name = [[attribute(oids.organization, 'flood-admins')], [attribute(oids.commonName, user)]];
  const request = inBase64(forge({ key, name }));
  const agent = hub.client.as(agentOf(noisy));
  const flood = Array.from({ length: 300 }, () => ({
    ...goodRequest(noisy, addOn, { request, ...hour }),
  }));
  // The age of a request has whole seconds: the others have to be younger than the first 50.
  await Promise.all(flood.slice(0, 50).map(async (each) => await agent.create(each)));
  await expect.poll(() => refused('organizations'), patience).toBe(50);
  await delay(1000);
  await Promise.all(flood.slice(50).map(async (each) => await agent.create(each)));
  await expect.poll(() => refused('backlog'), patience).toBe(250);

  const reads = (): number => targets.filter((each) => each.includes(`addon-${noisy}-${addOn}-`)).length;
  const [readBefore, started] = [reads(), process.cpuUsage()];
  await agent.merge(
    reference(ocmKinds.managedClusterAddOn, addOn, noisy),
    { status: { registrations: [] } },
    'status',
  );
  await expect.poll(() => refused('registration'), patience).toBeGreaterThan(0);
  // Meanwhile it is corrected, and they are judged again.
  await delay(2000);
  agent.close();
  expect(reads()).toBe(readBefore);
  const { user: used, system } = process.cpuUsage(started);
  expect((used + system) / 1000).toBeLessThan(300 * costOfVerification());

  const good = await send(goodRequest(calm, addOn, hour), calm);
  await expect.poll(() => isApproved(good), patience).toBe(true);
  // In the log there is a summary, besides what is for those who debug.
  expect(companion.log.lines.filter((line) => line.startsWith('warn a certificate request'))).toHaveLength(
    19,
  );
  await expect
    .poll(
      () => companion.log.lines.filter((line) => line.startsWith('warn certificate requests are not served')),
      patience,
    )
    .toContainEqual(expect.stringContaining(`"party":"${noisy}/${addOn}"`));
});

test("a cluster's write into a status is not cached, and is corrected", async () => {
  const onCluster = reference(ocmKinds.managedClusterAddOn, addOn, noisy);
  const agent = hub.client.as(agentOf(noisy));
  const bulk = 'x'.repeat(1_000_000);
  await agent.merge(
    onCluster,
    { status: { addOnMeta: { description: bulk }, registrations: [{ signerName: 'example.com/a' }] } },
    'status',
  );
  agent.close();
  await expect
    .poll(async () => {
      const found = await hub.client.get(...ocmKinds.managedClusterAddOn, addOn, noisy);
      return (found?.['status'] as { registrations?: readonly object[] } | undefined)?.registrations?.length;
    }, patience)
    .toBe(2);
});

test('names of configurations become neither paths nor selectors', async () => {
  const cluster = calm;
  const hostile = 'flood-names';
  await createAddOn(hub.client, hostile, { signerName: `${signer}-names`, authority: 'flood-authority' });
  const kinds = [
    { group: '../api/v1/namespaces/kube-system/secrets?x=', resource: 'widgets' },
    { group: '', resource: '../secrets' },
    { group: '', resource: 'secrets' },
  ];
  await hub.client.merge(reference(ocmKinds.clusterManagementAddOn, hostile), {
    spec: { supportedConfigs: kinds },
  });
  await installAddOn(hub.client, cluster, hostile);
  const [group, resource, secret] = kinds;
  await hub.client.merge(reference(ocmKinds.managedClusterAddOn, hostile, cluster), {
    spec: {
      configs: [
        { ...group, name: 'a', namespace: 'default' },
        { ...resource, name: 'a', namespace: 'default' },
        { ...secret, name: 'a', namespace: '..' },
        { ...secret, name: 'flood-a,metadata.name!=zzz', namespace: 'default' },
        { ...secret, name: '..', namespace: 'default' },
        ...Array.from({ length: 60 }, (_, index) => ({
          ...secret,
          name: `flood-${index}`,
          namespace: 'default',
        })),
      ],
    },
  });
  await until('a hash of each that there can be', async () => {
    const found = await hub.client.get(...ocmKinds.managedClusterAddOn, hostile, cluster);
    const { configReferences = [] } = (found?.['status'] ?? {}) as {
      readonly configReferences?: readonly object[];
    };
    return configReferences.length === 65;
  });
  await delay(1000);
  const asked = targets.map((each) => decodeURIComponent(each));
  expect(asked.filter((each) => /\.\.|kube-system|!=|widgets/.test(each))).toEqual([]);
  const watched = new Set(
    asked.flatMap(
      (each) => /^\/api\/v1\/namespaces\/default\/secrets\?.*metadata\.name=flood-\d+/.exec(each) ?? [],
    ),
  );
  expect(new Set([...watched].map((each) => each.replace(/^.*name=/, ''))).size).toBe(50);
  expect(companion.log.lines.join('\n')).toContain(
    'a Secret is not read: add-ons on flood-calm name more than 50 Secrets',
  );
});

test('certificates are not valid for longer than allowed', async () => {
  const day = 86_400;
  const [longer, silent] = [
    await send(goodRequest(calm, addOn, { expirationSeconds: day + 1 }), calm),
    await send(goodRequest(calm, addOn), calm),
  ];
  await expect
    .poll(() => refusalOf(longer), patience)
    .toBe(`it requests a lifetime of ${day + 1} seconds, not 600 to ${day}`);
  await expect
    .poll(() => refusalOf(silent), patience)
    .toBe(
      `it does not request a lifetime: the default of this signer is 31536000 seconds, and the maximum is ${day}`,
    );
  const fitting = await send(goodRequest(calm, addOn, { expirationSeconds: day }), calm);
  await expect.poll(() => isApproved(fitting), patience).toBe(true);
  expect([await isApproved(longer), await isApproved(silent)]).toEqual([false, false]);
});

test('the log leads from certificates of both signers to their requests', async () => {
  const ofServer = await send(goodRequest(calm, addOn, hour), calm);
  const ofOwn = await send(customRequest(calm, addOn, { signerName: signer, ...hour }), calm);
  const issued = (name: string): Readonly<Record<string, unknown>> | undefined => {
    const line = companion.log.lines.find(
      (each) => each.startsWith('info a certificate was issued') && each.includes(`"${name}"`),
    );
    return line === undefined
      ? undefined
      : (JSON.parse(line.slice(line.indexOf('{'))) as Readonly<Record<string, unknown>>);
  };
  const common = { cluster: calm, addOn, requester: agentOf(calm).user, template: addOn };
  const { user } = ownSubject(calm, addOn);
  for (const [name, more] of [
    [ofServer, { signer: kubeClient, subject: expect.stringContaining(`CN=${user}`) as unknown }],
    [ofOwn, { signer, subject: expect.stringContaining('CN=gateway') as unknown }],
  ] as const) {
    await expect.poll(() => issued(name), patience).toMatchObject({ ...common, ...more });
    const { notBefore, notAfter, serialNumber } = issued(name) ?? {};
    expect(serialNumber).toMatch(/^[0-9a-f]{8,}$/);
    // An hour, and five minutes back.
    expect(Date.parse(String(notAfter)) - Date.parse(String(notBefore))).toBeLessThan(66 * 60_000);
  }
});

test('a cluster that is created again under its name gets no certificate for an older request', async () => {
  const cluster = 'flood-reborn';
  await createCluster(hub.client, cluster);
  const old = await send(goodRequest(cluster, addOn, hour), cluster);
  await expect.poll(() => refusalOf(old), patience).toBe(`there is no add-on "${addOn}" on ${cluster}`);
  await hub.client.delete(reference(ocmKinds.managedCluster, cluster));
  await until(
    'an end of the cluster',
    async () => (await hub.client.get(...ocmKinds.managedCluster, cluster)) === undefined,
  );
  await delay(1000);
  await createCluster(hub.client, cluster);
  await installAddOn(hub.client, cluster, addOn);
  const renamed = { ...goodRequest(cluster, addOn, hour) };
  const fresh = await send(
    { ...renamed, metadata: { ...renamed.metadata, name: generatedName(cluster, addOn) } },
    cluster,
  );
  await expect.poll(() => isApproved(fresh), patience).toBe(true);
  expect(await isApproved(old)).toBe(false);
  expect(refusalOf(old)).toBe(
    `it is older than the cluster ${cluster}, and was sent by an earlier cluster of that name`,
  );
  const condition = await addOnCondition(hub.client, addOn, cluster, 'CertificateRequestsServed');
  expect(condition?.reason ?? 'ClusterRefused').toBe('ClusterRefused');
});

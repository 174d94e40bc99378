import { X509Certificate } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { credentials } from '../../../src/controller/agent/credentials/credentials.ts';
import type { RepeatedTask } from '../../../src/controller/agent/repeated-task.ts';
import {
  certificateSigningRequests,
  secrets,
  type CertificateSigningRequest,
} from '../../../src/controller/agent/resources.ts';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import type { Stored } from '../../../src/client/object.ts';
import type { Registration } from '../../../src/controller/add-on/registration.ts';
import { answerJson, FakeApiServer } from '../api-server.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';
import { OpensslAuthority } from './openssl-authority.ts';

const kubeClient = 'kubernetes.io/kube-apiserver-client';
const day = 24 * 3_600_000;
const user = 'system:open-cluster-management:cluster:c1:addon:hello:agent:hello-agent';
const groups = ['system:open-cluster-management:cluster:c1:addon:hello'];

let authority: OpensslAuthority;
beforeAll(() => {
  authority = new OpensslAuthority();
});
afterAll(() => authority.remove());

let hub: FakeApiServer;
let cluster: FakeApiServer;
let clock: ManualClock;
let log: RecordingLog;
beforeEach(async () => {
  [hub, cluster, clock, log] = [
    await FakeApiServer.start(),
    await FakeApiServer.start(),
    new ManualClock(),
    new RecordingLog(),
  ];
  // Certificates are signed at the time of day.
  clock.step(Date.now() - clock.now() + 1000);
});
afterEach(async () => {
  await hub.stop();
  await cluster.stop();
});

async function register(...registrations: readonly Registration[]): Promise<void> {
  const name = { namespace: 'c1', name: 'hello' };
  await hub.client().delete(managedClusterAddOns, name);
  await hub.client().create(managedClusterAddOns, {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ManagedClusterAddOn',
    metadata: name,
    spec: { installNamespace: 'agents' },
    status: { registrations },
  });
}

interface TaskOptions {
  readonly namespace?: string;
  readonly onCertificate?: (secret: string, notAfter: number) => void;
}

function credentialsTask({ namespace, ...options }: TaskOptions = {}): RepeatedTask {
  return credentials({
    hub: hub.client(clock),
    cluster: cluster.client(clock),
    clock,
    log,
    addOn: { name: 'hello', cluster: 'c1', namespace },
    endpoint: { server: 'https://hub:6443', certificateAuthorityData: 'Q0E=' },
    lifetime: 10 * day,
    agent: () => Promise.resolve('x7f2a'),
    ...options,
  });
}

/** The agent's step, as a process makes it: another call is another process, which knows nothing of the one before. */
async function step(options?: TaskOptions): Promise<number> {
  return await credentialsTask(options).step(new AbortController().signal);
}

const requests = async (): Promise<readonly Stored<CertificateSigningRequest>[]> =>
  await hub.client().list(certificateSigningRequests);
const pemOf = (request: CertificateSigningRequest): string =>
  Buffer.from(request.spec?.request ?? '', 'base64').toString();

/** Signs the last request. */
async function sign(days?: number): Promise<void> {
  const request = (await requests()).at(-1);
  if (request === undefined) throw new Error('there is no request');
  await conclude({ certificate: Buffer.from(authority.sign(pemOf(request), days)).toString('base64') });
}

async function conclude(status: object): Promise<void> {
  const request = (await requests()).at(-1);
  const name = { name: request?.metadata.name ?? '' };
  await hub.client().merge(certificateSigningRequests, name, { status }, { subresource: 'status' });
}

async function secret(name: string): Promise<Readonly<Record<string, string>> | undefined> {
  const found = await cluster.client().get(secrets, { namespace: 'agents', name });
  return (
    found &&
    Object.fromEntries(
      Object.entries(found.data ?? {}).map(([file, text]) => [file, Buffer.from(text, 'base64').toString()]),
    )
  );
}

test('sends no request before the hub has a registration, and reports that once', async () => {
  expect(await step()).toBe(15_000);
  await register();
  expect(await step()).toBe(15_000);
  expect(await requests()).toEqual([]);
});

test("a request is made as OCM's agent makes it", async () => {
  await register({ signerName: kubeClient, subject: { user, groups } });
  expect(await step()).toBe(5_000);
  const [request] = await requests();
  expect(request?.metadata).toMatchObject({
    generateName: 'addon-c1-hello-',
    labels: {
      'open-cluster-management.io/cluster-name': 'c1',
      'open-cluster-management.io/addon-name': 'hello',
    },
  });
  expect({ ...request?.spec, request: '' }).toEqual({
    request: '',
    signerName: kubeClient,
    usages: ['digital signature', 'key encipherment', 'client auth'],
    expirationSeconds: 864_000,
  });
  const read = authority.describe(request === undefined ? '' : pemOf(request));
  expect(read).toContain(`Subject: CN=${user},O=${groups[0]}`);
  expect(read).toContain('NIST CURVE: P-256');
  expect(read).toContain('DNS:hello.addon.open-cluster-management.io');
});

test('the certificate comes with its key and a kubeconfig that names its files', async () => {
  await register({ signerName: kubeClient, subject: { user, groups } });
  await step();
  await sign();
  const wait = await step();
  const files = await secret('hello-hub-kubeconfig');
  expect(Object.keys(files ?? {}).sort()).toEqual(['cluster-name', 'kubeconfig', 'tls.crt', 'tls.key']);
  expect(files?.['cluster-name']).toBe('c1');
  expect(JSON.parse(files?.['kubeconfig'] ?? '')).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'default-cluster',
        cluster: { server: 'https://hub:6443', 'certificate-authority-data': 'Q0E=' },
      },
    ],
    users: [{ name: 'default-auth', user: { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' } }],
    contexts: [
      {
        name: 'default-context',
        context: { cluster: 'default-cluster', user: 'default-auth', namespace: 'configuration' },
      },
    ],
    'current-context': 'default-context',
  });
  expect(new X509Certificate(files?.['tls.crt'] ?? '').subject).toBe(`O=${groups[0]}\nCN=${user}`);
  expect(await secret('hello-hub-kubeconfig-pending')).toBeUndefined();
  // It is renewed when a fifth to a quarter of its time is left.
  expect(wait).toBe(300_000);
});

test('keys are never logged, and never leave the cluster', async () => {
  await register({ signerName: kubeClient, subject: { user, groups } });
  await step();
  const pending = await secret('hello-hub-kubeconfig-pending');
  await sign();
  await step();
  const key = (await secret('hello-hub-kubeconfig'))?.['tls.key'] ?? '';
  expect(key).toBe(pending?.['tls.key']);
  const line = key.split('\n')[1] ?? 'no key';
  expect(log.lines.join('\n')).not.toContain(line);
  expect(JSON.stringify(await requests())).not.toContain(line);
});

test('a registration with its own signer has its own Secret, without a kubeconfig', async () => {
  await register({ signerName: 'example.com/logs', subject: { user: 'forwarder', groups: ['logs'] } });
  await step();
  await sign();
  await step();
  const files = await secret('hello-example.com-logs-client-cert');
  expect(Object.keys(files ?? {}).sort()).toEqual(['cluster-name', 'tls.crt', 'tls.key']);
  expect(new X509Certificate(files?.['tls.crt'] ?? '').subject).toBe('O=logs\nCN=forwarder');
});

test("a registration that names no user is for the name of the cluster's agent", async () => {
  await register({ signerName: kubeClient });
  await step();
  const [request] = await requests();
  expect(authority.describe(request === undefined ? '' : pemOf(request))).toContain(
    'Subject: CN=system:open-cluster-management:cluster:c1:addon:hello:agent:x7f2a,O=system:open-cluster-management:cluster:c1:addon:hello',
  );
});

test('a user may be in several groups, whatever their names', async () => {
  const several = [...groups, 'a + O=b', 'c, d', 'ü'];
  await register({ signerName: kubeClient, subject: { user, groups: several } });
  await step();
  await sign();
  expect(await step()).toBe(300_000);
  expect(await secret('hello-hub-kubeconfig')).toBeDefined();
  await step();
  expect(await requests()).toHaveLength(1);
});

describe('renewal', () => {
  beforeEach(async () => {
    await register({ signerName: kubeClient, subject: { user, groups } });
    await step();
    await sign();
    await step();
  });

  test('begins when a fifth to a quarter of the time is left, and keeps the old certificate until then', async () => {
    const before = await secret('hello-hub-kubeconfig');
    clock.step(7.4 * day);
    await step();
    expect(await requests()).toHaveLength(1);
    clock.step(0.7 * day);
    expect(await step()).toBe(5_000);
    expect(await requests()).toHaveLength(2);
    expect(await secret('hello-hub-kubeconfig')).toEqual(before);
    await sign(20);
    await step();
    const after = await secret('hello-hub-kubeconfig');
    expect(after?.['tls.crt']).not.toBe(before?.['tls.crt']);
    expect(after?.['tls.key']).not.toBe(before?.['tls.key']);
  });

  test('is at the same time after a restart', async () => {
    const ends: number[] = [];
    await step({ onCertificate: (_secret, notAfter) => ends.push(notAfter) });
    await step({ onCertificate: (_secret, notAfter) => ends.push(notAfter) });
    expect(ends[0]).toBe(ends[1]);
    expect(await requests()).toHaveLength(1);
  });

  test('does not wait if the registration has another subject', async () => {
    await register({
      signerName: kubeClient,
      subject: { user, groups: [...groups, 'system:open-cluster-management:addon:hello'] },
    });
    await step();
    expect(await requests()).toHaveLength(2);
  });

  test('does not wait if another client broke the Secret', async () => {
    await cluster
      .client()
      .merge(secrets, { namespace: 'agents', name: 'hello-hub-kubeconfig' }, { data: { 'tls.key': 'bm8=' } });
    await step();
    expect(await requests()).toHaveLength(2);
  });
});

describe('an open request', () => {
  beforeEach(async () => {
    await register({ signerName: kubeClient, subject: { user, groups } });
    await step();
  });

  test('is awaited, also after restarts: no other request is created', async () => {
    for (let restart = 0; restart < 5; restart += 1) expect(await step()).toBe(5_000);
    expect(await requests()).toHaveLength(1);
    await sign();
    await step();
    expect(await secret('hello-hub-kubeconfig')).toBeDefined();
  });

  test('that is denied is reported, and another one is created after 5 min', async () => {
    await conclude({ conditions: [{ type: 'Denied', reason: 'Policy', message: 'not this one' }] });
    expect(await step()).toBe(300_000);
    expect(log.lines.at(-1)).toContain('"refused":"Denied: Policy: not this one"');
    await step();
    expect(await requests()).toHaveLength(2);
  });

  test('that was deleted is made anew', async () => {
    for (const { metadata } of await requests())
      await hub.client().delete(certificateSigningRequests, metadata);
    await step();
    expect(await requests()).toHaveLength(1);
  });

  test('whose subject is not wanted any more is left, and another is made', async () => {
    await register({ signerName: kubeClient, subject: { user, groups: ['others'] } });
    await step();
    expect(await requests()).toHaveLength(2);
  });

  test('whose certificate is that of another key is of no use', async () => {
    const [request] = await requests();
    const own = { signerName: kubeClient, subject: { user, groups } };
    await register(own, { signerName: 'example.com/other', subject: { user, groups } });
    await step();
    await sign();
    const other = (await requests()).at(-1)?.status;
    await hub
      .client()
      .merge(
        certificateSigningRequests,
        { name: request?.metadata.name ?? '' },
        { status: other },
        { subresource: 'status' },
      );
    await register(own);
    expect(await step()).toBe(300_000);
    expect(log.lines.at(-1)).toContain('"unusable":"it has another key"');
    expect(await secret('hello-hub-kubeconfig')).toBeUndefined();
  });
});

describe('when a registration is gone', () => {
  const forHub = { signerName: kubeClient, subject: { user, groups } };
  const forLogs = { signerName: 'example.com/logs', subject: { user: 'forwarder', groups: ['logs'] } };
  const names = async (): Promise<readonly string[]> => {
    const found = await cluster.client().list(secrets, { namespace: 'agents' });
    return found.map(({ metadata }) => metadata.name).sort();
  };
  const everything = [
    'hello-companion-secrets',
    'hello-example.com-logs-client-cert',
    'hello-hub-kubeconfig-pending',
  ];

  beforeEach(async () => {
    await register(forHub, forLogs);
    await step();
    await sign();
    await step();
  });

  test('until then all Secrets are there, and one that has their names', async () => {
    expect(await names()).toEqual(everything);
  });

  test('its Secret is deleted, also after a restart, and that is reported', async () => {
    await register(forHub);
    await step();
    expect(await names()).toEqual(['hello-companion-secrets', 'hello-hub-kubeconfig-pending']);
    expect(log.lines).toContain(
      'info is no longer registered: the Secret was deleted {"secret":"hello-example.com-logs-client-cert"}',
    );
  });

  test('the key of its open request is deleted', async () => {
    await register(forLogs);
    await step();
    expect(await names()).toEqual(['hello-companion-secrets', 'hello-example.com-logs-client-cert']);
  });

  test('all go with the last one, and with the ManagedClusterAddOn', async () => {
    await register();
    expect(await step()).toBe(15_000);
    expect(await names()).toEqual([]);

    await register(forHub);
    await step();
    expect(await names()).toEqual(['hello-companion-secrets', 'hello-hub-kubeconfig-pending']);
    await hub.client().delete(managedClusterAddOns, { namespace: 'c1', name: 'hello' });
    // Where nobody says, the hub's word for the namespace is gone too: only the process that heard it knows.
    await step();
    expect(await names()).toHaveLength(2);
    await step({ namespace: 'agents' });
    expect(await names()).toEqual([]);
  });

  test('are all kept while the ManagedClusterAddOn is being deleted: its agent may still clean up', async () => {
    const name = { namespace: 'c1', name: 'hello' };
    await hub
      .client()
      .merge(managedClusterAddOns, name, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
    await step();
    expect(await names()).toEqual(everything);
    expect(await requests()).toHaveLength(2);
  });

  test('nothing is deleted that another client created', async () => {
    const other = { namespace: 'agents', name: 'hello-example.com-logs-client-cert' };
    await cluster.client().delete(secrets, other);
    const { apiVersion, kind } = secrets;
    const labels = { 'app.kubernetes.io/managed-by': 'somebody' };
    await cluster.client().create(secrets, { apiVersion, kind, metadata: { ...other, labels } });
    await register();
    await step();
    expect(await names()).toEqual([other.name]);
  });

  test('a failed deletion is reported once, retried, and does not delay certificates', async () => {
    const agent = credentialsTask();
    const signal = new AbortController().signal;
    cluster.intercept = ({ method, url }, response) => {
      if (method !== 'DELETE' || url?.includes('example.com-logs') !== true) return false;
      answerJson(response, 403, { code: 403, reason: 'Forbidden', message: 'secrets is forbidden' });
      return true;
    };
    await register({ signerName: 'example.com/new', subject: { user, groups } });
    expect(await agent.step(signal)).toBe(5_000);
    await agent.step(signal);
    const warnings = log.lines.filter((line) => line.includes('no longer registered'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^warn Secrets that are no longer registered stay .*secrets is forbidden/);
    expect(await names()).not.toContain('hello-hub-kubeconfig-pending');
    cluster.intercept = undefined;
    await agent.step(signal);
    expect(await names()).toEqual(['hello-companion-secrets', 'hello-example.com-new-client-cert-pending']);
  });

  test('they follow the add-on into another namespace', async () => {
    const agent = credentialsTask();
    const signal = new AbortController().signal;
    await agent.step(signal);
    const name = { namespace: 'c1', name: 'hello' };
    await hub
      .client()
      .merge(managedClusterAddOns, name, { status: { namespace: 'moved' } }, { subresource: 'status' });
    await agent.step(signal);
    expect(await names()).toEqual([]);
    expect(await cluster.client().list(secrets, { namespace: 'moved' })).toHaveLength(3);
  });

  test('if nothing changes, nothing is written', async () => {
    const agent = credentialsTask();
    const signal = new AbortController().signal;
    await agent.step(signal);
    cluster.requests.length = 0;
    await agent.step(signal);
    expect(cluster.requests.filter((each) => !each.startsWith('GET'))).toEqual([]);
    expect(cluster.requests.filter((each) => each.includes('companion-secrets'))).toEqual([]);
  });
});

test('a key that was made for a subject which is not wanted any more is deleted', async () => {
  const subject = { user, groups };
  await register({ signerName: kubeClient, subject });
  await step();
  await sign();
  await step();
  await register({ signerName: kubeClient, subject: { user, groups: ['others'] } });
  await step();
  expect(await secret('hello-hub-kubeconfig-pending')).toBeDefined();
  await register({ signerName: kubeClient, subject });
  await step();
  expect(await secret('hello-hub-kubeconfig-pending')).toBeUndefined();
});

test('ten requests are the most that an add-on may have on the hub', async () => {
  await register({ signerName: kubeClient, subject: { user, groups } });
  for (let lost = 0; lost < 12; lost += 1) {
    await step();
    await cluster.client().delete(secrets, { namespace: 'agents', name: 'hello-hub-kubeconfig-pending' });
  }
  expect(await requests()).toHaveLength(10);
  expect(log.lines.at(-1)).toBe(
    'warn too many requests are on the hub, so no other is created {"requests":10}',
  );
});

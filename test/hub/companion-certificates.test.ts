import { X509Certificate } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CompanionSigner } from '../../constructs/index.ts';
import { systemClock } from '../../src/client/clock.ts';
import type { ApiRequest } from '../../src/client/transport.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { authorityCertificate, authoritySecret } from '../base/certificates/authorities.ts';
import { newKey } from '../base/certificates/forged-request.ts';
import { ApiClient } from './client/api-client.ts';
import { connect } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { companionNamespace, confinedKubeconfig } from './companion/confined-companion.ts';
import {
  agentOf,
  createAddOn,
  createAuthority,
  createCluster,
  customRequest,
  installAddOn,
  ownSubject,
  requestKind,
  secretKind,
} from './companion/fleet.ts';
import { keyCommands, makeAuthority, openssl, type MadeAuthority } from './companion/openssl.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { clientWith, filesWithCertificate, type SecretFiles } from './companion/secret-files.ts';
import { UnreliableTransport, type Death } from './companion/unreliable-transport.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

const { kubeconfig, versions } = await sharedHub();
const hub = connect({ kubeconfig, versions });
const cluster = 'certified1';
const patience = { timeout: 120_000, interval: 200 };

interface Request extends KubernetesObject {
  readonly metadata: KubernetesObject['metadata'] & { readonly name: string };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly reason: string }[];
    readonly certificate?: string;
  };
}

/** Add-ons with a signer and an authority of the same name. */
const addOns = [
  ...Object.keys(keyCommands).map(addOnOfKey),
  ...['rotated', 'unfit', 'by-hand', 'before', 'after', 'cut', 'clock'].map((name) => `certified-${name}`),
];
/** The access of a companion that may do what the construct lets it do. */
let confined: string;

beforeAll(async () => {
  await createCluster(hub.client, cluster);
  confined = await confinedKubeconfig(hub.client, kubeconfig, 'certified', { signers: addOns.map(signing) });
}, 120_000);
afterAll(() => hub.close());

/** A request of the cluster's agent for a certificate of a signer of the add-on's own. */
function ownRequest(addOn: string, more: Readonly<Record<string, unknown>> = {}): Request {
  return customRequest(cluster, addOn, { signerName: signerOf(addOn), ...more });
}

function addOnOfKey(key: string): string {
  return `certified-${key.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

function signing(addOn: string): CompanionSigner {
  return { signerName: signerOf(addOn), signingCA: { name: addOn, namespace: 'default' } };
}

function signerOf(addOn: string): string {
  return `certified.example.com/${addOn}`;
}

/** Puts an add-on on the cluster whose signer has an authority of the same name. */
async function install(addOn: string, authority?: MadeAuthority): Promise<void> {
  if (authority !== undefined) await putAuthority(addOn, authority.data);
  await createAddOn(hub.client, addOn, { signerName: signerOf(addOn), authority: addOn });
  await installAddOn(hub.client, cluster, addOn);
}

async function putAuthority(name: string, data: object): Promise<void> {
  await hub.client.apply({ ...reference(secretKind, name, 'default'), type: 'kubernetes.io/tls', data });
}

async function create(request: Request): Promise<string> {
  await hub.client.as(agentOf(cluster)).create(request);
  return request.metadata.name;
}

async function read(name: string): Promise<Request> {
  return (await hub.client.get(...requestKind, name)) as Request;
}

/** The certificate of a request in PEM, once it is there. */
async function certificateOf(name: string): Promise<string> {
  await expect.poll(async () => (await read(name)).status?.certificate, patience).toEqual(expect.any(String));
  return Buffer.from((await read(name)).status?.certificate ?? '', 'base64').toString();
}

async function conditionOf(addOn: string): Promise<unknown> {
  const found = await hub.client.get(...ocmKinds.managedClusterAddOn, addOn, cluster);
  const { conditions = [] } = (found?.['status'] ?? {}) as NonNullable<Request['status']>;
  return conditions.find(({ type }) => type === 'CertificateRequestsServed');
}

describe('a signer of the add-on’s own', () => {
  let companion: RunningCompanion;
  beforeAll(() => {
    companion = startCompanion(confined);
  });
  afterAll(async () => await companion.stop());

  test.each(Object.entries(keyCommands))(
    'whose key is %s signs certificates that openssl verifies',
    async (key, command) => {
      const addOn = addOnOfKey(key);
      const authority = makeAuthority(command, addOn);
      await install(addOn, authority);
      const asked = Date.now();
      const certificate = await certificateOf(await create(ownRequest(addOn, { expirationSeconds: 3600 })));
      const got = Date.now();
      const files = { 'ca.pem': authority.certificate, 'cert.pem': certificate };
      expect(
        openssl(files, 'verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile', 'ca.pem', 'cert.pem'),
      ).toBe('cert.pem: OK\n');
      const printed = openssl(files, 'x509', '-in', 'cert.pem', '-noout', '-text');
      expect(printed).toContain(`Issuer: O = Fleetwright, CN = ${addOn}`);
      expect(printed).toContain('Subject: O = readers + O = writers, OU = edge, CN = gateway');
      expect(printed).toContain(`DNS:${addOn}.addon.open-cluster-management.io`);
      expect(printed).toContain('CA:FALSE');
      expect(printed).toContain('TLS Web Client Authentication\n');
      expect(printed).toContain('Digital Signature, Key Encipherment\n');
      // An hour from the moment at which it was signed, in whole seconds.
      const end = Date.parse(new X509Certificate(certificate).validTo);
      expect(end).toBeGreaterThan(asked + 3_599_000);
      expect(end).toBeLessThanOrEqual(got + 3_600_000);
    },
  );

  test('signs with its new authority once that is replaced, and old certificates remain valid', async () => {
    const addOn = 'certified-rotated';
    const [before, after] = [newKey(), newKey('P-384')];
    const old = authorityCertificate(before, { name: 'old' });
    await putAuthority(addOn, authoritySecret(before, old));
    await install(addOn);
    const first = await certificateOf(await create(ownRequest(addOn)));
    const renewed = authorityCertificate(after, { name: 'new' });
    const crossed = authorityCertificate(after, { name: 'new', issuer: { name: 'old', key: before } });
    await putAuthority(addOn, authoritySecret(after, renewed + crossed));
    // Ten seconds after it was read a Secret is read again, whenever that was.
    await delay(10_500);
    const second = await certificateOf(await create(ownRequest(addOn)));

    const verify = (trusted: string, certificate: string): string =>
      openssl(
        { 'ca.pem': trusted, 'cert.pem': certificate },
        'verify',
        '-CAfile',
        'ca.pem',
        '-untrusted',
        'cert.pem',
        'cert.pem',
      );
    expect(new X509Certificate(second).issuer).toBe('CN=new');
    expect(verify(old + renewed, first)).toBe('cert.pem: OK\n');
    expect(verify(renewed, second)).toBe('cert.pem: OK\n');
    expect(verify(old, second)).toBe('cert.pem: OK\n');
  });

  test('whose authority cannot sign reports so, and signs once it can', async () => {
    const addOn = 'certified-unfit';
    await install(addOn);
    const name = await create(ownRequest(addOn));
    const expectMessage = async (message: string): Promise<void> => {
      await expect
        .poll(() => conditionOf(addOn), patience)
        .toMatchObject({
          status: 'False',
          reason: 'AuthorityUnfit',
          message: `${name}: ${message}`,
        });
    };
    await expectMessage('there is no Secret default/certified-unfit');
    const key = newKey();
    await putAuthority(addOn, authoritySecret(newKey(), authorityCertificate(key)));
    await expectMessage(
      'the Secret default/certified-unfit cannot sign: no certificate of its tls.crt fits its tls.key',
    );
    await putAuthority(addOn, authoritySecret(key, authorityCertificate(key)));
    await certificateOf(name);
    await expect
      .poll(() => conditionOf(addOn), patience)
      .toMatchObject({ status: 'True', reason: 'NoneRefused' });
  });

  test('signs nothing that a person approved without a registration', async () => {
    const addOn = 'certified-by-hand';
    await createAuthority(hub.client, addOn);
    await install(addOn);
    const request = ownRequest(addOn);
    const name = await create({
      ...request,
      spec: { ...(request['spec'] as object), usages: ['any'] },
    });
    const condition = { type: 'Approved', status: 'True', reason: 'ByHand', message: 'by hand' };
    await hub.client.merge(reference(requestKind, name), { status: { conditions: [condition] } }, 'approval');
    await expect
      .poll(() => conditionOf(addOn), patience)
      .toMatchObject({
        reason: 'UsagesRefused',
        message: expect.stringContaining(
          `${name}: it is approved, but not signed: its usages are "any"`,
        ) as unknown,
      });
    expect((await read(name)).status?.certificate).toBeUndefined();
  });

  test('has written no key into the log, neither in PEM nor in Base64', () => {
    expect(companion.log.lines.length).toBeGreaterThan(10);
    expect(companion.log.lines.filter((line) => /PRIVATE|LS0tLS1CRUdJTi/.test(line))).toEqual([]);
  });
});

describe('of two replicas', () => {
  test.each<[string, string, Death]>([
    ['before it is sent', 'certified-before', 'before'],
    ['after it arrived', 'certified-after', 'after'],
  ])('the leader is killed at a signature, %s: the other replica continues', async (_, addOn, death) => {
    await createAuthority(hub.client, addOn);
    const lease = {
      leaderElection: true,
      leaderElectionName: 'certified',
      leaderElectionNamespace: companionNamespace,
      leaseDuration: '3s',
      renewDeadline: '2s',
      retryPeriod: '500ms',
    };
    const ways: UnreliableTransport[] = [];
    const through = (
      transport: ConstructorParameters<typeof UnreliableTransport>[0],
    ): UnreliableTransport => {
      const way = new UnreliableTransport(transport);
      ways.push(way);
      return way;
    };
    const replicas = [startCompanion(confined, lease, { through })];
    const seen = new Map<string, Set<string>>();
    const end = new AbortController();
    const watching = hub.client.watch(
      ...requestKind,
      ({ object }) => {
        const { metadata, status } = object as Request;
        if (status?.certificate === undefined) return;
        seen.set(metadata.name, (seen.get(metadata.name) ?? new Set()).add(status.certificate));
      },
      end.signal,
    );
    try {
      await install(addOn);
      replicas.push(startCompanion(confined, lease, { through }));
      // Whichever leads by then: on a machine that pauses the Lease changes hands by itself.
      const isFirstSignature = ({ method, target }: ApiRequest): boolean =>
        method === 'PATCH' &&
        /signingrequests\/[^/]+\/status/.test(target) &&
        ways.every(({ isDead }) => !isDead);
      for (const way of ways) way.dieAt(isFirstSignature, death);
      const names = await Promise.all(
        Array.from({ length: 10 }, async () => await create(ownRequest(addOn))),
      );
      await Promise.all(names.map(async (name) => await certificateOf(name)));
      expect(ways.filter(({ isDead }) => isDead)).toHaveLength(1);
      for (const name of names) {
        expect((await read(name)).status?.conditions?.map(({ type }) => type)).toEqual(['Approved']);
        // What follows them hears of it a moment later.
        await expect.poll(() => seen.get(name)?.size, patience).toBe(1);
      }
    } finally {
      end.abort();
      await watching;
      await Promise.all(replicas.map(async (replica) => await replica.stop()));
    }
  });
});

test('with its watches cut a hundred times, a companion serves every request', async () => {
  const addOn = 'certified-cut';
  await createAuthority(hub.client, addOn);
  let way: UnreliableTransport | undefined;
  const through = (transport: ConstructorParameters<typeof UnreliableTransport>[0]): UnreliableTransport =>
    (way = new UnreliableTransport(transport));
  const companion = startCompanion(confined, { approvalLimit: 1000 }, { through });
  try {
    await install(addOn);
    const names: string[] = [];
    for (let cuts = 0; cuts < 100; cuts += 1) {
      if (cuts % 2 === 0) names.push(await create(ownRequest(addOn)));
      way?.cutWatches();
      await delay(20);
    }
    await Promise.all(names.map(async (name) => await certificateOf(name)));
    // Of the last it hears after the hub has it.
    await expect
      .poll(
        async () =>
          await companion.count('fleetwright_certificates_signed_total', `signer="${signerOf(addOn)}"`),
        patience,
      )
      .toBe(50);
  } finally {
    await companion.stop();
  }
});

test('while its clock is wrong by a day, a companion signs nothing, or only valid certificates', async () => {
  const addOn = 'certified-clock';
  const day = 86_400_000;
  let step = 0;
  const companion = startCompanion(confined, {}, { clock: { ...systemClock, now: () => Date.now() + step } });
  try {
    await createAuthority(hub.client, addOn);
    await install(addOn);
    step = -day;
    const name = await create(ownRequest(addOn));
    await expect
      .poll(() => conditionOf(addOn), patience)
      .toMatchObject({
        reason: 'AuthorityUnfit',
        message: expect.stringContaining('cannot sign: its certificate is not valid before ') as unknown,
      });
    step = 0;
    const certificate = new X509Certificate(await certificateOf(name));
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now());
    step = day;
    expect(new X509Certificate(await certificateOf(await create(ownRequest(addOn)))).issuer).toBe(
      `CN=${addOn}`,
    );
  } finally {
    await companion.stop();
  }
});

describe('OCM’s registration agent', () => {
  const addOn = 'certified-hello';
  const namespace = 'open-cluster-management-agent-addon';
  let running: RunningHub;
  let companion: RunningCompanion;
  let onHub: ReturnType<typeof connect>;
  let onCluster: ApiClient;

  beforeAll(async () => {
    running = await startHub({ managedCluster: 'cluster1' });
    onHub = connect(running);
    onCluster = new ApiClient(readAccess(running.managedCluster?.kubeconfig ?? ''));
    companion = startCompanion(
      await confinedKubeconfig(onHub.client, running.kubeconfig, 'certified', { signers: [signing(addOn)] }),
    );
    await onCluster.apply(reference(namespaceKind, namespace));
    await createAuthority(onHub.client, addOn);
    await createAddOn(onHub.client, addOn, { signerName: signerOf(addOn), authority: addOn });
    await installAddOn(onHub.client, 'cluster1', addOn);
  }, 240_000);
  afterAll(async () => {
    await companion.stop();
    onHub.close();
    onCluster.close();
    await running.stop();
  });

  const secret = async (name: string): Promise<SecretFiles> =>
    await filesWithCertificate(onCluster, name, namespace);

  test('gets a certificate that authenticates only this add-on to the hub', async () => {
    const agent = clientWith(await secret(`${addOn}-hub-kubeconfig`), running.kubeconfig);
    const review = await agent.create({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata: {},
    });
    const { user, groups } = ownSubject('cluster1', addOn);
    expect(review['status']).toMatchObject({
      userInfo: { username: user, groups: expect.arrayContaining([...groups]) as unknown },
    });
    await expect(agent.list(...secretKind, 'default')).rejects.toThrow('403');
    agent.close();
  });

  test('gets a certificate of the add-on’s own signer, which openssl verifies', async () => {
    const { 'tls.crt': certificate = '' } = await secret(
      `${addOn}-certified.example.com-${addOn}-client-cert`,
    );
    const authority = (await onHub.client.get(...secretKind, addOn, 'default')) as KubernetesObject & {
      readonly data: Readonly<Record<string, string>>;
    };
    const ca = Buffer.from(authority.data['tls.crt'] ?? '', 'base64').toString();
    expect(
      openssl(
        { 'ca.pem': ca, 'cert.pem': certificate },
        'verify',
        '-purpose',
        'sslclient',
        '-CAfile',
        'ca.pem',
        'cert.pem',
      ),
    ).toBe('cert.pem: OK\n');
  });
});

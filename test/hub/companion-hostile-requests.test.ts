import { X509Certificate } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checks, type Check } from '../../src/controller/hub/approval/verdict.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { identityOf, type TableRequest } from '../controller/hub/approval/hostile/hostile-request.ts';
import { requestTable } from '../controller/hub/approval/hostile/table.ts';
import { ApiClient, ApiError, type Impersonated } from './client/api-client.ts';
import { connect } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
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
  kubeClient,
  requestKind,
} from './companion/fleet.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';

// The table of requests of the unit tests, sent to a real hub. Their sender may create requests, so it is our checks
// that refuse them. Then a client with the token of the companion approves all that the admission policies allow.

const { kubeconfig, versions } = await sharedHub();
const hub = connect({ kubeconfig, versions });
const target = {
  cluster: 'tabled1',
  addOn: 'tabled-hello',
  neighbor: 'tabled10',
  signer: 'tabled.example.com/hello',
};
const table = requestTable(target);
const all = Object.values(table).flat();
const sendable = all.filter(({ onHub }) => onHub !== 'not sent');
const patience = { timeout: 240_000, interval: 500 };
const limit = 1000;

let companion: RunningCompanion;
let token: ApiClient;
/** The counts before any of these requests, by check. */
let before: Readonly<Record<Check, number>>;
/** The names under which requests of the table were sent; undefined where the API server did not take one. */
const sent = new Map<TableRequest, string | undefined>();

beforeAll(async () => {
  await deleteRequests(hub.client);
  await createAuthority(hub.client, 'tabled-authority');
  await createAddOn(hub.client, target.addOn, { signerName: target.signer, authority: 'tabled-authority' });
  const registration = [
    { type: 'KubeClient' },
    {
      type: 'CustomSigner',
      customSigner: {
        signerName: target.signer,
        signingCA: { name: 'tabled-authority', namespace: 'default' },
        subject: { user: 'hello', groups: ['readers'], organizationUnit: ['edge'] },
      },
    },
  ];
  await hub.client.merge(reference(ocmKinds.addOnTemplate, target.addOn), { spec: { registration } });
  for (const name of [target.cluster, target.neighbor]) await createCluster(hub.client, name);
  const confined = await confinedKubeconfig(hub.client, kubeconfig, 'tabled', {
    signers: [{ signerName: target.signer, signingCA: { name: 'tabled-authority', namespace: 'default' } }],
  });
  token = new ApiClient(readAccess(confined));
  companion = startCompanion(confined, { approvalLimit: limit, openRequests: limit });
  for (const name of [target.cluster, target.neighbor]) await installAddOn(hub.client, name, target.addOn);
  before = await counts();
  for (const request of sendable) sent.set(request, await send(request));
}, 600_000);

afterAll(async () => {
  for (const client of clients.values()) client.close();
  token.close();
  await companion.stop();
  hub.close();
});

const clients = new Map<string, ApiClient>();

/** A client of somebody who may create requests; always the same, for connections take longer to make than requests. */
function clientOf(somebody: Impersonated): ApiClient {
  const key = JSON.stringify(somebody);
  const client = clients.get(key) ?? hub.client.as(somebody);
  clients.set(key, client);
  return client;
}

async function send({ requester, metadata, spec }: TableRequest): Promise<string | undefined> {
  const good = goodRequest(target.cluster, target.addOn, spec);
  const request = { ...good, metadata: { ...good.metadata, ...metadata } };
  const { user, groups } = requester ?? agentOf(target.cluster);
  try {
    await clientOf({ user, groups: [...groups, 'system:masters'] }).create(request);
    return request.metadata.name;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function counts(): Promise<Readonly<Record<Check, number>>> {
  const count = async (check: Check): Promise<readonly [Check, number]> => [
    check,
    await companion.count('fleetwright_certificate_requests_refused_total', `check="${check}"`),
  ];
  return Object.fromEntries(await Promise.all(checks.map(count))) as Record<Check, number>;
}

interface Request extends KubernetesObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string }[];
    readonly certificate?: string;
  };
}

async function requestOf(request: TableRequest): Promise<Request | undefined> {
  const name = sent.get(request);
  return name === undefined ? undefined : await hub.client.get(...requestKind, name);
}

test('each request of the table is refused by the check that it is for', async () => {
  const expected = Object.fromEntries(
    checks.map((check) => [
      check,
      all.filter((request) => request.onHub === undefined && request.refusedBy === check).length,
    ]),
  );
  const refused = async (): Promise<unknown> => {
    const now = await counts();
    return Object.fromEntries(checks.map((check) => [check, now[check] - before[check]]));
  };
  await expect.poll(refused, patience).toEqual(expected);
});

describe.each(Object.entries(table))('%s', (_, requests) => {
  test.each(requests.filter((request) => sendable.includes(request)))('$name', async (request) => {
    expect(sent.get(request) === undefined).toBe(request.onHub === 'not taken');
    const types = async (): Promise<readonly string[]> =>
      ((await requestOf(request))?.status?.conditions ?? []).map(({ type }) => type);
    await expect
      .poll(types, { ...patience, timeout: 30_000 })
      .toEqual(request.refusedBy === 'none' ? ['Approved'] : []);
  });
});

test('there are hundreds of them, most of which the API server takes', () => {
  const taken = [...sent.values()].filter((name) => name !== undefined);
  expect(sent.size).toBeGreaterThan(400);
  expect(taken.length).toBeGreaterThan(250);
});

test("a certificate that a client with the companion's token approves belongs to the add-on itself", async () => {
  await companion.stop();
  const now = '2026-01-31T12:00:00Z';
  const condition = { type: 'Approved', status: 'True', reason: 'a', message: 'b', lastUpdateTime: now };
  const refused: TableRequest[] = [];
  for (const [request, name] of sent) {
    if (name === undefined || request.refusedBy === 'none') continue;
    try {
      await token.merge(reference(requestKind, name), { status: { conditions: [condition] } }, 'approval');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push(request);
    }
  }
  const identity = new Set<Check | 'none'>(['labels', 'name', 'requester', 'usages']);
  const letThrough = all.filter(
    (request) => request.onHub === undefined && request.refusedBy !== 'none' && !refused.includes(request),
  );
  expect(letThrough.filter(({ refusedBy }) => identity.has(refusedBy))).toEqual([]);
  // Some are well-formed in all that the policies look at: kube-controller-manager signs them or does not.
  await delay(5000);
  const { user, groups } = identityOf(target);
  const issued: string[] = [];
  for (const request of all) {
    const found = await requestOf(request);
    const { signerName } = (found?.['spec'] ?? {}) as { readonly signerName?: string };
    const encoded = found?.status?.certificate;
    if (encoded === undefined || signerName !== kubeClient) continue;
    const subject = new X509Certificate(Buffer.from(encoded, 'base64')).subject;
    // Entries are on lines, and values in an entry separated by a plus sign.
    const values = subject.split(/\n| \+ /);
    issued.push(request.name);
    expect(values.filter((value) => value.startsWith('CN='))).toEqual([`CN=${user}`]);
    for (const value of values.filter((each) => each.startsWith('O=')))
      expect([...groups, 'system:authenticated'].map((group) => `O=${group}`)).toContain(value);
  }
  expect(issued.length).toBeGreaterThan(10);
});

test('a good request is approved after all that', async () => {
  const name = generatedName(target.neighbor, target.addOn);
  const again = startCompanion(await confinedKubeconfig(hub.client, kubeconfig, 'tabled-again', {}));
  try {
    const request = goodRequest(target.neighbor, target.addOn);
    await clientOf(agentOf(target.neighbor)).create({ ...request, metadata: { ...request.metadata, name } });
    const certificate = async (): Promise<unknown> =>
      ((await hub.client.get(...requestKind, name)) as Request).status?.certificate;
    await expect.poll(certificate, patience).toEqual(expect.any(String));
  } finally {
    await again.stop();
  }
});

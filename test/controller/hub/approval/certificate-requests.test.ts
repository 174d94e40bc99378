import { afterEach, beforeEach, expect, test } from 'vitest';
import { allSynced } from '../../../../src/controller/cache/informer.ts';
import { systemClock } from '../../../../src/client/clock.ts';
import {
  certificateSigningRequests,
  createRequestInformer,
  cachedRequest,
  maxCachedPerParty,
  others,
  type CertificateSigningRequestV1,
} from '../../../../src/controller/hub/approval/certificate-requests.ts';
import { defaultLimits } from '../../../../src/controller/hub/approval/facts.ts';
import { isJudged, judgedRequests } from '../../../../src/controller/hub/approval/open-requests.ts';
import type { Stored } from '../../../../src/client/object.ts';
import { authorityCertificate } from '../../../base/certificates/authorities.ts';
import { newKey } from '../../../base/certificates/forged-request.ts';
import { FakeApiServer } from '../../api-server.ts';
import { RecordingLog } from '../../recording-log.ts';
import { forged, request } from './entitled-request.ts';
import { clusterNameLabel, addOnNameLabel } from '../../../../src/ocm/labels.ts';

const content = forged();
const key = newKey();

function stored(
  name: string,
  { spec, ...parts }: Partial<CertificateSigningRequestV1> = {},
  { user = 'cluster1', metadata = {} } = {},
): Stored<CertificateSigningRequestV1> {
  const group = `system:open-cluster-management:${user}`;
  const made = request({
    spec: { request: content, username: `${group}:agent`, groups: [group], ...spec },
  });
  const identity = {
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-31T12:00:00Z',
  };
  return { ...made, ...parts, metadata: { ...made.metadata, ...identity, ...metadata } };
}

const kept = (object: Stored<CertificateSigningRequestV1>) => cachedRequest(object, defaultLimits);

test('of a request only a few kilobytes are stored, regardless of its content', () => {
  const bulk = 'x'.repeat(100_000);
  const hostile = stored(
    'a',
    {
      spec: {
        request: bulk,
        signerName: 'example.com/a',
        usages: Array(1000).fill('any') as string[],
        username: bulk,
        groups: [bulk, ...(Array(1000).fill(`system:open-cluster-management:${bulk}`) as string[])],
      },
    },
    {
      metadata: {
        labels: { [clusterNameLabel]: 'cluster1', [addOnNameLabel]: 'hello', bulk },
        annotations: { bulk, 'open-cluster-management.io/csr-user': bulk },
        finalizers: [bulk],
        ownerReferences: [{ apiVersion: 'v1', kind: bulk, name: 'a' }],
      },
    },
  );
  expect(JSON.stringify(kept(hostile)).length).toBeLessThan(8000);
  expect(JSON.stringify(kept(stored('a'))).length).toBeLessThan(1000);
});

test('a ninth group and a ninth usage decide as the first ones do', () => {
  const others = Array.from({ length: 8 }, (_, index) => `group-${index}`);
  const own = 'system:open-cluster-management:cluster1';
  const foreign = 'system:open-cluster-management:cluster2';
  const username = `${own}:agent`;
  const groupsOf = (groups: readonly string[]): readonly string[] | undefined =>
    kept(stored('a', { spec: { request: content, username, groups } }))?.spec.groups;
  expect(groupsOf([...others, own])).toEqual([own]);
  expect(groupsOf([own, ...others, foreign])).toEqual([own, foreign]);
  const usages = [...Array(8).fill('client auth'), 'server auth'] as string[];
  const spec = { request: content, username, groups: [own], usages };
  expect(kept(stored('a', { spec }))?.spec.usages).toEqual([...Array(8).fill('client auth'), '1 more']);
});

test('a request without an effect is not cached', () => {
  expect(kept(stored('a', {}, { metadata: { labels: { [addOnNameLabel]: 'hello' } } }))).toBeUndefined();
  const denied = { conditions: [{ type: 'Denied', status: 'True' }] };
  expect(kept(stored('a', { status: denied }))).toBeUndefined();
});

test('of an approved request, the fingerprint of its key is cached, and its certificate to find it', () => {
  const conditions = [{ type: 'Approved', status: 'True', lastUpdateTime: '2026-01-31T12:00:00Z' }];
  const certificate = Buffer.from(authorityCertificate(key, { name: 'hello' })).toString('base64');
  const found = kept(stored('a', { status: { conditions, certificate } }));
  expect(found).toMatchObject({
    state: 'closed',
    approvedAt: Date.UTC(2026, 0, 31, 12),
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    issued: {
      serialNumber: expect.stringMatching(/^[0-9a-f]+$/) as unknown,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      subject: 'CN=hello',
    },
  });
  expect(JSON.stringify(found)).not.toContain(certificate.slice(0, 100));
});

test('the party of a request is its cluster, if its agent sent it', () => {
  expect(kept(stored('a'))?.party).toBe('cluster1');
  expect(kept(stored('a', {}, { user: 'cluster10' }))?.party).toBe(others);
});

let server: FakeApiServer;
let end: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  server = await FakeApiServer.start();
  end = new AbortController();
  running = Promise.resolve();
});
afterEach(async () => {
  end.abort();
  await running;
  await server.stop();
});

const named = (index: number): string => `addon-cluster1-hello-${String(index).padStart(5, '0')}`;

async function follow() {
  const log = new RecordingLog();
  const informer = createRequestInformer({
    client: server.client(),
    clock: systemClock,
    log,
    limits: defaultLimits,
  });
  running = informer.run(end.signal);
  await allSynced([informer], systemClock, end.signal);
  return { informer, log };
}

test('a bounded number of pending requests per party is cached', async () => {
  const beyond = maxCachedPerParty + 200;
  for (let index = 0; index < beyond; index += 1)
    server.seed(certificateSigningRequests, stored(named(index)));
  for (let index = 0; index < 5; index += 1)
    server.seed(certificateSigningRequests, stored(`x-${index}`, {}, { user: 'cluster2' }));
  const { informer, log } = await follow();
  expect(informer.store.count('party', 'cluster1')).toBe(maxCachedPerParty);
  expect(informer.store.count('party', others)).toBe(5);
  expect(log.lines).toEqual([
    `warn a party has too many certificate requests: the excess requests wait until others are deleted {"party":"cluster1","kept":1000,"omitted":1}`,
  ]);

  // When half of them are gone, the others are listed.
  const client = server.client();
  const names = Array.from({ length: maxCachedPerParty / 2 }, (_, index) => named(index));
  for (const name of names) await client.delete(certificateSigningRequests, { name });
  await expect.poll(() => informer.store.count('party', 'cluster1')).toBe(maxCachedPerParty / 2);
  server.cutWatches();
  await expect.poll(() => informer.store.count('party', 'cluster1')).toBe(beyond - maxCachedPerParty / 2);
});

test('the oldest requests of an add-on on a cluster are judged', async () => {
  for (let index = 0; index < 10; index += 1) server.seed(certificateSigningRequests, stored(named(index)));
  server.seed(certificateSigningRequests, stored('from-another', {}, { user: 'cluster2' }));
  const { informer } = await follow();
  const judged = judgedRequests(informer, 'cluster1/hello', 4).map(({ metadata }) => metadata.name);
  expect(judged).toEqual([0, 1, 2, 3].map(named));
  const all = [...informer.store.list()];
  const admitted = all.filter((each) => isJudged(informer, each, 4)).map(({ metadata }) => metadata.name);
  expect(admitted).toEqual([...judged, 'from-another']);
});

import { expect, test } from 'vitest';
import { availableByWorks } from '../../../src/controller/hub/health/available.ts';
import { EqualValues } from '../../../src/controller/cache/equal-values.ts';
import { cachedWork } from '../../../src/controller/hub/health/workloads.ts';
import { cachedAddOn, cachedCluster } from '../../../src/controller/hub/cached-objects.ts';
import type { Condition } from '../../../schemas/types.gen.ts';
import { storedCluster, storedOnCluster, storedWork } from './stored-add-ons.ts';

const equal = new EqualValues();
const megabyte = 'x'.repeat(1_000_000);
const time = '2026-01-31T12:00:00Z';
const condition = (type: string, message = ''): Condition => ({
  type,
  status: 'True',
  reason: 'R',
  message,
  lastTransitionTime: time,
});
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

test('of the status of an add-on only the parts that the companion decides on are stored', () => {
  const status = {
    namespace: 'n',
    kubeClientDriver: 'csr',
    registrations: [{ signerName: 'example.com/a' }],
    configReferences: [{ group: '', resource: 'configmaps', name: 'c' }],
    conditions: [condition('Available'), condition('Own')],
  } as const;
  const bulk = { addOnMeta: { description: megabyte }, relatedObjects: [{ group: megabyte, resource: 'a' }] };
  const kept = cachedAddOn(
    storedOnCluster({ configs: [] }, { ...status, ...bulk } as never, {
      'fleetwright.dev/delivery': 'compiled',
      'example.com/bulk': megabyte,
    }),
    equal,
  );
  expect(kept.status).toEqual(status);
  expect(kept.metadata.annotations).toEqual({ 'fleetwright.dev/delivery': 'compiled' });
  expect(sizeOf(kept)).toBeLessThan(1000);
});

test.each([
  ['registrations', { registrations: [{ signerName: megabyte }] }],
  ['supportedConfigs', { supportedConfigs: [{ group: '', resource: megabyte }] }],
  ['configReferences', { configReferences: [{ group: '', resource: 'a', name: megabyte }] }],
  ['namespace', { namespace: megabyte }],
])('%s that are too large count as absent', (field, status) => {
  const kept = cachedAddOn(storedOnCluster({}, { ...status, healthCheck: { mode: 'Lease' } }), equal);
  expect(kept.status).not.toHaveProperty(field);
  expect(kept.status?.healthCheck).toEqual({ mode: 'Lease' });
});

test('of conditions that are too large together, only those that the companion decides on are cached', () => {
  const many = Array.from({ length: 1000 }, (_, index) => condition(`Own${index}`, 'x'.repeat(1000)));
  const spoilt = condition('Progressing', 'x'.repeat(30_000));
  const kept = cachedAddOn(
    storedOnCluster({}, { conditions: [...many, condition('Available'), spoilt] }),
    equal,
  );
  expect(kept.status?.conditions).toEqual([condition('Available')]);
});

test('of a cluster, only its acceptance and reachability are cached', () => {
  const available = condition('ManagedClusterConditionAvailable', megabyte);
  const kept = cachedCluster(
    storedCluster({
      conditions: [condition('ManagedClusterJoined'), available],
      clusterClaims: [{ name: 'a', value: megabyte }],
    }),
    equal,
  );
  expect(kept.spec).toEqual({ hubAcceptsClient: true });
  expect(kept.status?.conditions).toEqual([{ ...available, message: 'x'.repeat(4096) }]);
  expect(sizeOf(kept)).toBeLessThan(5000);
});

test('of a work only its health is stored, whatever the cluster reports', () => {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace: 'n', name: 'a' } };
  const reported = (name: string, count: number) => ({
    resourceMeta: { group: 'apps', resource: 'deployments', namespace: 'n', name, ordinal: 0 },
    conditions: [condition('Applied', megabyte)],
    statusFeedback: {
      values: [
        { name: 'other', fieldValue: { type: 'String' as const, string: megabyte } },
        ...['ReadyReplicas', 'Replicas'].map((value) => ({
          name: value,
          fieldValue: { type: 'Integer' as const, integer: count },
        })),
      ],
    },
  });
  const work = storedWork({ manifests: [deployment] });
  const manifests = Array.from({ length: 1000 }, (_, index) => reported(`unknown-${index}`, 1));
  const changed = {
    ...work,
    metadata: { ...work.metadata, annotations: { 'example.com/bulk': megabyte } },
    status: {
      conditions: [...(work.status?.conditions ?? []), condition('Available', megabyte), condition('Own')],
      resourceStatus: { manifests: [...manifests, reported('a', 0), reported('a', 1)] },
    },
  };
  const kept = cachedWork(changed, equal);
  expect(sizeOf(kept)).toBeLessThan(6000);
  expect(availableByWorks('hello', [kept]).reason).toBe('ProbeAvailable');
});

test('a workload of which other values are reported than its counts is not healthy', () => {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace: 'n', name: 'a' } };
  const value = { name: 'Phase', fieldValue: { type: 'String' as const, string: 'Running' } };
  const work = storedWork({ manifests: [deployment] });
  const changed = {
    ...work,
    status: {
      conditions: [condition('Available')],
      resourceStatus: {
        manifests: [
          {
            resourceMeta: { group: 'apps', resource: 'deployments', namespace: 'n', name: 'a', ordinal: 0 },
            conditions: [],
            statusFeedback: { values: [value] },
          },
        ],
      },
    },
  };
  const kept = cachedWork(changed, equal);
  expect(availableByWorks('hello', [kept]).message).toContain('readyReplica is not probed');
});

test('objects of several clusters share what is equal in them', () => {
  const status = {
    healthCheck: { mode: 'Lease' as const },
    supportedConfigs: [{ group: '', resource: 'configmaps' }],
    conditions: [
      condition('Available', 'it runs'),
      { ...condition('Progressing'), lastTransitionTime: 'later' },
    ],
  };
  const [a, b] = [storedOnCluster({}, status), storedOnCluster({}, structuredClone(status))].map((addOn) =>
    cachedAddOn(addOn, equal),
  );
  expect(a).toEqual(b);
  expect(a?.spec).toBe(b?.spec);
  expect(a?.status?.supportedConfigs).toBe(b?.status?.supportedConfigs);
  expect(a?.status?.conditions).toBe(b?.status?.conditions);
  const [work, other] = [storedWork({}), storedWork({})].map((each) => cachedWork(each, equal));
  expect(work?.metadata.labels).toBe(other?.metadata.labels);
  expect(work?.spec).toBe(other?.spec);
});

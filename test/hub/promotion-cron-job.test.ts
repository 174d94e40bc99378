import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { connectToHub } from '../../src/workspace/hub/connect-to-hub.ts';
import { readHubAddOns } from '../../src/promotion/gates/hub-add-ons.ts';
import { block, page } from '../gitops/engines/guide.ts';
import { connect } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { kubeconfigAs } from './companion/permissions.ts';

// The CronJob of docs/promotion.md on a real API server: nothing starts its pod here, but its objects are stored, its pod is let in,
// and its account reads what `promote` reads.

const address = await sharedHub();
const hub = connect(address);
const accountKind: KindOf = ['v1', 'ServiceAccount'];
const objects = parseAllDocuments(block(page('promotion.md'), 'A CronJob on the hub', 'yaml')).map(
  (document) => document.toJS() as KubernetesObject,
);
const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-promote-'));

const namespace = reference(namespaceKind, 'promoted');
const cluster = { namespace: 'promoted' };
const addOn: KubernetesObject = {
  ...reference(ocmKinds.managedClusterAddOn, 'beacon', cluster.namespace),
  spec: {},
};
const work: KubernetesObject = {
  ...reference(ocmKinds.manifestWork, 'addon-beacon-deploy-0', cluster.namespace),
  spec: { workload: { manifests: [reference(['v1', 'ConfigMap'], 'beacon', 'default')] } },
};

beforeAll(async () => {
  for (const object of objects) await hub.client.apply(object, { strict: true });
  await hub.client.apply(namespace);
  await hub.client.apply(addOn);
  await hub.client.apply({
    ...work,
    metadata: { ...work.metadata, labels: { 'open-cluster-management.io/addon-name': 'beacon' } },
  });
});
afterAll(async () => {
  for (const object of [namespace, ...objects.toReversed()]) await hub.client.delete(object);
  hub.close();
  rmSync(folder, { recursive: true });
});

/** Returns the pod that the CronJob starts. */
function pod(): KubernetesObject {
  interface CronJobSpec {
    readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: object } } };
  }
  const cronJob = objects.find(({ kind }) => kind === 'CronJob');
  if (cronJob === undefined) throw new Error('the guide has no CronJob');
  const { jobTemplate } = cronJob.spec as CronJobSpec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'promote',
      ...(cronJob.metadata.namespace && { namespace: cronJob.metadata.namespace }),
    },
    spec: jobTemplate.spec.template.spec,
  };
}

test('the pod of the CronJob meets the restricted standard of its namespace', async () => {
  const created = await hub.client.create(pod(), { dryRun: true, strict: true });
  expect(created.spec).toMatchObject({ serviceAccountName: 'promote' });
  const [container, ...others] = (pod().spec as { readonly containers: readonly object[] }).containers;
  expect(others).toEqual([]);
  const relaxed = {
    ...pod(),
    spec: { ...(pod().spec as object), containers: [{ ...container, securityContext: {} }] },
  };
  await expect(hub.client.create(relaxed, { dryRun: true })).rejects.toThrow(
    /violates PodSecurity "restricted/,
  );
});

test('the account of the CronJob reads what promote reads, and nothing else', async () => {
  const token = await hub.client.createToken(reference(accountKind, 'promote', 'fleetwright-promote'));
  const kubeconfig = kubeconfigAs(address.kubeconfig, { folder, name: 'promote', change: () => ({ token }) });
  const reader = await connectToHub({ ...address, kubeconfig, context: undefined }, '/');
  await expect
    .poll(async () => await readHubAddOns(reader, ['beacon']).catch(String), { timeout: 10_000 })
    .toEqual(new Map([['beacon/promoted', { addOn: expect.anything(), works: [expect.anything()] }]]));
  const secrets = { apiVersion: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true } as const;
  await expect(reader.list(secrets)).rejects.toThrow(/may not list secrets|forbidden/i);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ControllerContext } from '../../../../src/controller/hub/controller-context.ts';
import { attemptHooks, type HookAttempt } from '../../../../src/controller/hub/hooks/hook-attempt.ts';
import type { HookRun } from '../../../../src/controller/hub/hooks/hook-run.ts';
import { manifestWorks } from '../../../../src/controller/hub/resources.ts';
import type { ApiClient } from '../../../../src/client/api-client.ts';
import type { Stored } from '../../../../src/client/object.ts';
import type { ManifestWorkV1 } from '../../../../schemas/types.gen.ts';
import { FakeApiServer, refuse } from '../../api-server.ts';
import { storedCluster, storedOnCluster } from '../stored-add-ons.ts';
import { hook, storedHookWork, type Reported } from './stored-hook-work.ts';

const annotation = JSON.stringify([hook('Job', 'bye')]);
const failed: readonly Reported[] = [['Job', 'bye', { JobFailed: 'True' }]];
const started = Date.UTC(2026, 0, 31, 12);
const running = new AbortController().signal;

let server: FakeApiServer;
let client: ApiClient;

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
});
afterEach(async () => {
  await server.stop();
});

/** Takes the next step. @param after milliseconds since the work was created, the same time after the deletion as `earlier` */
async function attempt(
  work: Stored<ManifestWorkV1> | undefined,
  { after = 0, earlier = 0 }: { readonly after?: number; readonly earlier?: number } = {},
): Promise<HookAttempt> {
  const onCluster = storedOnCluster({}, {}, { 'fleetwright.dev/pre-delete-hooks': annotation });
  const deletionTimestamp = new Date(started - earlier).toISOString();
  const context = {
    client,
    ownerVersion: 'addon.open-cluster-management.io/v1alpha1',
    clock: { now: () => started + after },
  } as unknown as ControllerContext;
  const deleted = { ...onCluster, metadata: { ...onCluster.metadata, deletionTimestamp } };
  const run: HookRun = {
    location: 'managed',
    finalizer: 'addon.open-cluster-management.io/addon-pre-delete',
    workName: 'addon-hello-pre-delete',
    clusterName: 'cluster1',
    cluster: storedCluster(),
    work,
  };
  return await attemptHooks(context, deleted, run, running);
}

const works = async (): Promise<readonly string[]> =>
  (await client.list(manifestWorks)).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

test('the work is created once, and one that the cache does not have yet is not an error', async () => {
  expect(await attempt(undefined)).toEqual({ isComplete: false });
  expect(await attempt(undefined)).toEqual({ isComplete: false });
  expect(await works()).toEqual(['cluster1/addon-hello-pre-delete']);
});

test('a work that the API server rejects is created again a minute later', async () => {
  server.intercept = ({ method }, response) => {
    if (method !== 'POST') return false;
    refuse(response, 403, 'Forbidden', 'the namespace is being terminated');
    return true;
  };
  expect(await attempt(undefined)).toMatchObject({
    isComplete: false,
    problem: expect.stringContaining('the namespace is being terminated') as unknown,
    requeueAfter: 60_000,
  });
});

test.each([
  [0, 30_000],
  [10_000, 30_000],
  [120_000, 120_000],
  [86_400_000, 600_000],
])(
  'after a failed attempt that began %i ms after the deletion, the next begins %i ms later',
  async (earlier, delay) => {
    const work = await client.create(manifestWorks, storedHookWork(failed));
    const current = {
      ...storedHookWork(failed),
      metadata: { ...storedHookWork(failed).metadata, uid: work.metadata.uid },
    };
    expect(await attempt(current, { earlier, after: delay - 1 })).toEqual({
      isComplete: false,
      problem: 'Job agents/bye failed, and is run again',
      requeueAfter: 1,
    });
    expect(await works()).toHaveLength(1);
    await attempt(current, { earlier, after: delay });
    expect(await works()).toEqual([]);
  },
);

test('a complete work of an earlier installation, or one that is being deleted, completes nothing', async () => {
  const done: readonly Reported[] = [['Job', 'bye', { JobComplete: 'True' }]];
  const others = [
    storedHookWork(done, { metadata: { ownerReferences: [{ uid: 'earlier' }] } }),
    storedHookWork(done, { metadata: { deletionTimestamp: '2026-01-31T12:00:00Z' } }),
  ];
  for (const work of others) expect(await attempt(work)).toEqual({ isComplete: false });
  expect(await attempt(storedHookWork(done))).toEqual({ isComplete: true });
});

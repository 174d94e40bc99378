import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { connect, type Hub } from './client/hub.ts';
import { isOfKind, ocmKinds, reference } from './client/kinds.ts';
import { printDifferences } from './differential/differences.ts';
import { families } from './differential/families.ts';
import { judge } from './differential/verdict.ts';
import { compareWebhooks, kindsText } from './validation/compare-webhooks.ts';
import { mutatedCluster } from './validation/webhook-mutants.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

let running: RunningHub;
let hub: Hub;
beforeAll(async () => {
  running = await startHub({ managedCluster: mutatedCluster });
  hub = connect(running);
}, 300_000);
afterAll(async () => {
  hub.close();
  await running.stop();
});

const longAgo = '2020-01-01T00:00:00Z';

describe("OCM's webhook for clusters", () => {
  test('adds the default set, and the time to each taint', async () => {
    const before = Date.now();
    const created = await hub.client.create(cluster('tainted', [{ key: 'gpu', effect: 'NoSelect' }]));
    expect(created.metadata.labels).toEqual({ 'cluster.open-cluster-management.io/clusterset': 'default' });
    expect(timesOf(created)).toEqual([expect.any(String)]);
    // Stored in whole seconds.
    expect(Date.parse(timesOf(created)[0] ?? '')).toBeGreaterThan(before - 1_000);
  });

  test('replaces the time of a new cluster, and rejects one in an update', async () => {
    const taint = { key: 'gpu', effect: 'NoSelect', timeAdded: longAgo };
    const created = await hub.client.create(cluster('timed', [taint]));
    expect(timesOf(created)[0]).not.toBe(longAgo);
    await expect(hub.client.apply(cluster('timed', [taint]))).rejects.toThrow(
      'It is not allowed to set TimeAdded of Taint "gpu"',
    );
  });

  test('rejects a second server-side apply of a taint whose time it has set', async () => {
    const inGit = cluster('reapplied', [{ key: 'gpu', effect: 'NoSelect' }]);
    await hub.client.apply(inGit);
    await expect(hub.client.apply(inGit)).rejects.toThrow(
      'It is not allowed to set TimeAdded of Taint "gpu"',
    );
  });

  test('lets an agent create its cluster in the default set', async () => {
    const joined = await hub.client.get(...ocmKinds.managedCluster, 'joined');
    expect(joined?.metadata.labels).toMatchObject({
      'cluster.open-cluster-management.io/clusterset': 'default',
    });
  });
});

describe("OCM's webhooks for bindings and works", () => {
  test('reject a binding that is not named as its set', async () => {
    const binding = {
      ...reference(ocmKinds.managedClusterSetBinding, 'other', 'default'),
      spec: { clusterSet: 'default' },
    };
    await expect(hub.client.create(binding)).rejects.toThrow(
      'The ManagedClusterSetBinding must have the same name as the target ManagedClusterSet',
    );
  });

  test.each([
    ['without manifests', [], 'manifests should not be empty'],
    ['with a manifest twice', [configMap('a'), configMap('a')], 'duplicate manifest for resource default/a'],
    ['with a generated name', [generated()], 'name must be set in manifest'],
    ['above 500 KiB', [configMap('a', 'x'.repeat(500 * 1024))], 'which exceeds the 512000 limit'],
  ])('reject a work %s', async (_, manifests, message) => {
    await expect(hub.client.create(work('work', manifests))).rejects.toThrow(message);
  });

  test('accept other works', async () => {
    const created = await hub.client.create(work('accepted', [configMap('a'), configMap('b')]));
    expect(created.metadata.uid).toEqual(expect.any(String));
  });
});

test("the compiler has the verdicts and the words of OCM's webhooks", { timeout: 600_000 }, async () => {
  const count = Number(process.env['WEBHOOK_MUTANTS'] ?? 200);
  const compared = await compareWebhooks(hub, { seed: 40, count });
  const { rejections, differences } = compared;
  process.stdout.write(`webhooks: ${kindsText(compared)}; ${differences.length} differ\n`);
  expect(differences).toEqual([]);
  expect(rejections).toBeGreaterThan(count / 4);
});

test('placements read the times that the webhook sets as predicted', { timeout: 600_000 }, async () => {
  const reportOf = async (seed: number): Promise<string> => {
    const { input, ...scenario } = families.placement(seed);
    const verdict = await judge(hub, { ...scenario, input: input.map(withoutTimes) });
    return verdict.result === 'differs' ? `seed ${seed}\n${printDifferences(verdict.differences, 10)}` : '';
  };
  const reports = await Promise.all(Array.from({ length: 8 }, async (_, index) => reportOf(index + 1)));
  expect(reports.join('')).toBe('');
});

function cluster(name: string, taints: readonly object[]): KubernetesObject {
  return { ...reference(ocmKinds.managedCluster, name), spec: { hubAcceptsClient: true, taints } };
}

function timesOf(managedCluster: KubernetesObject): readonly (string | undefined)[] {
  const { spec } = managedCluster as KubernetesObject & {
    readonly spec: { readonly taints?: readonly { readonly timeAdded?: string }[] };
  };
  return (spec.taints ?? []).map(({ timeAdded }) => timeAdded);
}

/** As Git has it: the time of a taint is the webhook's to set. */
function withoutTimes(object: KubernetesObject): KubernetesObject {
  if (!isOfKind(object, ocmKinds.managedCluster)) return object;
  const { spec = {} } = object as { readonly spec?: { readonly taints?: readonly object[] } };
  if (spec.taints === undefined) return object;
  const taints = spec.taints.map((taint) => ({ ...taint, timeAdded: undefined }));
  return { ...object, spec: { ...spec, taints } };
}

function configMap(name: string, data = ''): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { data } };
}

function generated(): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-', namespace: 'default' } };
}

function work(name: string, manifests: readonly object[]): KubernetesObject {
  return { ...reference(ocmKinds.manifestWork, name, 'joined'), spec: { workload: { manifests } } };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiClient } from './client/api-client.ts';
import { connect } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { sharedHub } from './client/shared-hub.ts';
import { folderOf, startHub } from './process/start-hub.ts';

const hub = connect(await sharedHub());
afterAll(() => hub.close());

describe('the hub', () => {
  test('has the cluster sets that OCM makes by itself', async () => {
    const sets = await hub.client.list(...ocmKinds.managedClusterSet);
    expect(sets.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['default', 'global']));
  });

  test('converts the add-on kinds between their versions', async () => {
    const [apiVersion, kind] = ocmKinds.clusterManagementAddOn;
    const written = {
      apiVersion,
      kind,
      metadata: { name: 'converted' },
      spec: { supportedConfigs: [{ resource: 'configmaps', defaultConfig: { name: 'a', namespace: 'b' } }] },
    };
    await hub.client.apply(written);
    const read = await hub.client.get('addon.open-cluster-management.io/v1beta1', kind, 'converted');
    await hub.client.delete(written);
    expect(read).toMatchObject({
      spec: { defaultConfigs: [{ resource: 'configmaps', name: 'a', namespace: 'b' }] },
    });
  });

  test('names the versions that it was built from', async () => {
    expect(hub.versions).toMatchObject({
      'open-cluster-management.io/ocm': expect.stringMatching(/^v1\./),
      'k8s.io/kubernetes': expect.stringMatching(/^v1\./),
    });
    expect(await hub.client.read('/version')).toMatchObject({
      gitVersion: hub.versions['k8s.io/kubernetes'],
    });
  });
});

describe('a hub', () => {
  test('that is stopped leaves no process and no folder', async () => {
    const running = await startHub();
    await running.stop();
    expect(isRunning(running.process.pid)).toBe(false);
    expect(existsSync(folderOf(running))).toBe(false);
  });

  test('whose parent is killed leaves no process and no folder', async () => {
    const parent = spawn(
      process.execPath,
      ['--import', 'tsx', path.join(import.meta.dirname, 'orphan.fixture.ts')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const orphan = JSON.parse(line) as { readonly pid: number; readonly kubeconfig: string };
    expect(isRunning(orphan.pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(orphan.pid), { timeout: 120_000 }).toBe(false);
    expect(existsSync(folderOf(orphan))).toBe(false);
  });

  test('that is killed itself leaves a folder, which the next hub removes', async () => {
    const killed = await startHub();
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');
    expect(existsSync(folderOf(killed))).toBe(true);
    const next = await startHub();
    expect(existsSync(folderOf(killed))).toBe(false);
    await next.stop();
  });
});

test('a managed cluster joins, applies a work and reports it', async () => {
  const running = await startHub({ managedCluster: 'cluster1' });
  const { kubeconfig = '' } = running.managedCluster ?? {};
  const [joined, cluster] = [connect(running), new ApiClient(readAccess(kubeconfig))];
  try {
    const delivered = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'delivered', namespace: 'default' },
    };
    const work = reference(ocmKinds.manifestWork, 'work', 'cluster1');
    await joined.client.apply({
      ...work,
      spec: { workload: { manifests: [{ ...delivered, data: { a: 'b' } }] } },
    });
    const onCluster = (): Promise<unknown> => cluster.get('v1', 'ConfigMap', 'delivered', 'default');
    const onHub = (): Promise<unknown> => joined.client.get(...ocmKinds.manifestWork, 'work', 'cluster1');
    await expect.poll(onCluster, { timeout: 120_000 }).toMatchObject({ data: { a: 'b' } });
    await expect.poll(onHub, { timeout: 120_000 }).toMatchObject({
      status: {
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'Available', status: 'True' }),
        ]) as unknown,
      },
    });
  } finally {
    joined.close();
    cluster.close();
    await running.stop();
  }
});

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

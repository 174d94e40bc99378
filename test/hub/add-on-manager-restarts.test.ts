import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Hub } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { create, install, littleAddOn, registered } from './companion/little-add-on.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// A fault of addon-framework 1.2.0 and 1.3.0, which OCM 1.2 and 1.3 contain: filters of its informers read the metadata of what a cache
// returns for objects that were deleted while it did not watch, which has none. docs/controller.md describes it.
const managed = 'managed-by-ocm';
const patience = { timeout: 120_000, interval: 1000 };
const compiled = littleAddOn('compiled', 12);
let folder: string;
let running: RunningHub;
let hub: Hub;
let companion: RunningCompanion;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-panic-'));
  running = await startHub({ log: path.join(folder, 'hub.log') });
  hub = connect(running);
  await create(hub.client, compiled);
  const spec = { addonName: managed, agentSpec: { workload: { manifests: [] } } };
  await hub.client.apply({ ...reference(ocmKinds.addOnTemplate, managed), spec });
  const supportedConfigs = [
    {
      group: 'addon.open-cluster-management.io',
      resource: 'addontemplates',
      defaultConfig: { name: managed },
    },
  ];
  const definition = reference(ocmKinds.clusterManagementAddOn, managed);
  await hub.client.apply({ ...definition, spec: { supportedConfigs } });
  companion = startCompanion(running.kubeconfig);
}, 300_000);
afterAll(async () => {
  await companion.stop();
  hub.close();
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

test(
  "OCM's addon-manager ends if add-ons are deleted while its watches are interrupted, and the companion does not",
  { timeout: 600_000 },
  async () => {
    const ended = once(running.process, 'exit');
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    const { clusters } = compiled;
    const onCluster = (cluster: string) => reference(ocmKinds.managedClusterAddOn, managed, cluster);
    for (let round = 0; round < 3 && !hasEnded; round += 1) {
      for (const cluster of clusters) {
        await hub.client.apply({ ...onCluster(cluster), spec: {} });
        await install(hub.client, compiled, cluster);
      }
      await expect
        .poll(async () => await registered(hub.client, compiled), patience)
        .toEqual([...clusters].sort());
      await expect.poll(isManaged, patience).toBe(clusters.length);
      await running.cause('kill-api-server');
      await running.cause('compact');
      // The later a watch is tried again, the more is deleted until then.
      await delay(20_000);
      await running.cause('start-api-server');
      for (const cluster of clusters) await hub.client.delete(onCluster(cluster)).catch(() => undefined);
      await Promise.race([ended, delay(60_000)]);
    }
    expect(hasEnded).toBe(true);
    const log = readFileSync(path.join(folder, 'hub.log'), 'utf8');
    expect(log).toMatch(/invalid memory address[\s\S]*addon-framework/);
    expect(companion.log.lines.filter((line) => line.startsWith('error'))).toEqual([]);
  },
);

/** The number of clusters for which addon-manager has begun to work. */
async function isManaged(): Promise<number> {
  const all = await hub.client.list(...ocmKinds.managedClusterAddOn);
  return all.filter(
    ({ metadata, status }) =>
      metadata.name === managed && JSON.stringify(status ?? {}).includes('RegistrationApplied'),
  ).length;
}

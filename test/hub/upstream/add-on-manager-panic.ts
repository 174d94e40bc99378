// Reproduces a fault of addon-framework 1.2.0 and 1.3.0, which OCM 1.2 and 1.3 contain: filters of its informers read the metadata of what
// a cache returns for objects that were deleted while it did not watch, which has none. docs/controller.md describes it. Whether a round
// meets it depends on which watches return first, so this is no test of a suite. Needs Go. Run with:
// node --import tsx test/hub/upstream/add-on-manager-panic.ts [ROUNDS]
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { connect } from '../client/hub.ts';
import { ocmKinds, reference } from '../client/kinds.ts';
import { create, install, littleAddOn, registered } from '../companion/little-add-on.ts';
import { startCompanion } from '../companion/running-companion.ts';
import { startHub } from '../process/start-hub.ts';

const rounds = Number(process.argv[2] ?? '10');
/** An add-on that addon-manager manages, and one that the companion manages. */
const managed = 'managed-by-ocm';
const compiled = littleAddOn('compiled', 12);
const { clusters } = compiled;

const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-panic-'));
const log = path.join(folder, 'hub.log');
const running = await startHub({ log });
const hub = connect(running);
const { client } = hub;
const addOnManager = { hasEnded: false };
const ended = once(running.process, 'exit').then(() => (addOnManager.hasEnded = true));
await create(client, compiled);
const spec = { addonName: managed, agentSpec: { workload: { manifests: [] } } };
await client.apply({ ...reference(ocmKinds.addOnTemplate, managed), spec });
const defaultConfig = { name: managed };
const supportedConfigs = [
  { group: 'addon.open-cluster-management.io', resource: 'addontemplates', defaultConfig },
];
await client.apply({
  ...reference(ocmKinds.clusterManagementAddOn, managed),
  spec: { supportedConfigs },
});
const companion = startCompanion(running.kubeconfig);
try {
  for (let round = 1; round <= rounds && !addOnManager.hasEnded; round += 1) {
    await installAll();
    await running.cause('kill-api-server');
    await running.cause('compact');
    // The longer it is away, the later a watch is tried again, and the more is deleted until then.
    await delay(20_000);
    await running.cause('start-api-server');
    for (const cluster of clusters) await client.delete(onCluster(cluster)).catch(() => undefined);
    // A watch is tried again after at most a minute.
    await Promise.race([ended, delay(75_000)]);
    process.stdout.write(
      `round ${round}: addon-manager ${addOnManager.hasEnded ? 'has ended' : 'continues'}\n`,
    );
  }
  const lines = readFileSync(log, 'utf8').split('\n');
  const fault = lines.findIndex((line) => line.includes('invalid memory address'));
  const trace = lines.slice(fault).filter((line) => /^panic|addon-framework/.test(line));
  process.stdout.write(fault < 0 ? 'no panic\n' : `${trace.slice(0, 6).join('\n')}\n`);
  const errors = companion.log.lines.filter((line) => line.startsWith('error'));
  process.stdout.write(`the companion continues, with ${errors.length} errors\n`);
} finally {
  await companion.stop();
  hub.close();
  if (!addOnManager.hasEnded) await running.stop();
  rmSync(folder, { recursive: true, force: true });
}

function onCluster(cluster: string): KubernetesObject {
  return reference(ocmKinds.managedClusterAddOn, managed, cluster);
}

async function installAll(): Promise<void> {
  for (const cluster of clusters) {
    await client.apply({ ...onCluster(cluster), spec: {} });
    await install(client, compiled, cluster);
  }
  const isManaged = async (): Promise<boolean> => {
    const all = await client.list(...ocmKinds.managedClusterAddOn);
    const served = all.filter(
      ({ metadata, ...object }) =>
        metadata.name === managed && JSON.stringify(object).includes('RegistrationApplied'),
    );
    return (
      served.length === clusters.length && (await registered(client, compiled)).length === clusters.length
    );
  };
  while (!(await isManaged())) await delay(500);
}

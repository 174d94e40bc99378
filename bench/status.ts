// Measures `status` and `status --applied` as whole processes, and `fleet pull` beside them, from a hub on this machine that answers
// page by page over HTTPS. `controller status` runs the second one for each reading. The hub is as predicted: every ManagedClusterAddOn
// has the statuses that the rollout ends with. With --failing N, the add-ons of N clusters are unavailable.
// Run with: npm run build && node --import tsx bench/status.ts [--failing N] [CLUSTERS…]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hubObjects, hubVersion, load, resolve } from '../src/compiler/index.ts';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { pagingHub } from './paging-hub.ts';
import { processCost, type ProcessCost } from './process-cost.ts';
import { baseState, type State } from './states.ts';

const addOns = 20;
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const fleetwright = path.resolve(import.meta.dirname, '../build/cli/main.js');
const words = process.argv.slice(2);
const failing = words.includes('--failing') ? Number(words[words.indexOf('--failing') + 1]) : 0;
const named = words.filter((word, index) => /^\d+$/.test(word) && words[index - 1] !== '--failing');
const sizes = named.length > 0 ? named.map(Number) : [1000, 10_000];

/** Returns the objects of the hub by plural. */
function objectsOnHub({ objects, fleet }: State): ReadonlyMap<string, readonly object[]> {
  const app = objects.map((object) => JSON.stringify(object)).join('\n---\n');
  const loaded = load([
    { file: 'app.yaml', text: app, source: 'app' },
    { file: 'fleet.json', text: fleet, source: 'fleet' },
  ]);
  const { value } = resolve(loaded.value, { ...target, now: Date.now() });
  if (value === undefined) throw new Error('the example is wrong');
  const lists = new Map<string, KubernetesObject[]>();
  const add = (object: KubernetesObject): void => {
    const plural = `${object.kind.toLowerCase()}s`;
    const list = lists.get(plural) ?? [];
    lists.set(plural, list);
    list.push(object);
  };
  const generated = new Set(['ManagedClusterAddOn', 'PlacementDecision']);
  for (const { object } of loaded.value) if (!generated.has(object.kind)) add(joined(object));
  for (const object of hubObjects(value, target)) if (generated.has(object.kind)) add(healthy(object));
  return lists;
}

const condition = (type: string, status: string, reason: string): object => ({
  type,
  status,
  reason,
  message: `What the agent says of ${type}, in a sentence or two as controllers write them`,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

function joined(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'ManagedCluster') return object;
  const conditions = [
    'HubAcceptedManagedCluster',
    'ManagedClusterJoined',
    'ManagedClusterConditionAvailable',
  ];
  const status = {
    ...(object['status'] as object | undefined),
    conditions: conditions.map((type) => condition(type, 'True', type)),
  };
  return { ...object, status };
}

let installed = 0;

function healthy(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'ManagedClusterAddOn') return object;
  installed += 1;
  const isFailing = installed <= failing * addOns;
  const status = {
    ...(object['status'] as object | undefined),
    conditions: [
      condition('RegistrationApplied', 'True', 'SetPermissionApplied'),
      condition('ManifestApplied', 'True', 'AddonManifestApplied'),
      condition('Configured', 'True', 'ConfigurationsConfigured'),
      condition('Progressing', 'False', 'Completed'),
      condition('ClusterCertificateRotated', 'True', 'ClientCertificateUpdated'),
      condition('Available', isFailing ? 'False' : 'True', 'ProbeAvailable'),
    ],
  };
  return { ...object, status };
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  process.stdout.write('| clusters | add-ons | command | requests | time (s) | CPU (s) | memory (MB) |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const state = baseState(clusters, addOns, 1);
    const hub = await pagingHub(objectsOnHub(state));
    await mkdir(path.join(folder, 'apps/app'), { recursive: true });
    const text = state.objects.map((object) => JSON.stringify(object)).join('\n---\n');
    await writeFile(path.join(folder, 'apps/app/app.yaml'), text);
    await writeFile(path.join(folder, 'kubeconfig'), hub.kubeconfig);
    let before = 0;
    for (const command of ['fleet pull --out fleet.json', 'status', 'status --applied']) {
      const parameters = [fleetwright, ...command.split(' '), '--kubeconfig', 'kubeconfig'];
      const cost: ProcessCost = await processCost(process.execPath, parameters, {
        cwd: folder,
        exitCodes: failing > 0 ? [0, 1] : [0],
      });
      const { requests } = hub.counts();
      const cells = [
        clusters,
        installed,
        command.replace(/ --out.*/, ''),
        requests - before,
        cost.seconds.toFixed(2),
        cost.cpuSeconds.toFixed(2),
        (cost.peakMemory / 1e6).toFixed(0),
      ];
      before = requests;
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
      if (cost.err !== '') process.stderr.write(cost.err);
    }
    installed = 0;
    await hub.close();
  }
} finally {
  await rm(folder, { recursive: true });
}

// Measures `promote --commit` as a whole process: an add-on with compiled delivery and waves of 500 clusters. `begins` finds new content
// and releases the first wave, `waits` finds it unhealthy, `advances` finds it healthy, releases the second one and commits it. The hub
// answers page by page over HTTPS.
// Run with: npm run build && node --import tsx bench/promote.ts [CLUSTERS…]
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { exampleFleet } from './example-app.ts';
import { pagingHub } from './paging-hub.ts';
import { processCost } from './process-cost.ts';

const fleetwright = path.resolve(import.meta.dirname, '../build/cli/main.js');
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1000, 10_000];
const perWave = 500;
const group = 'addon.open-cluster-management.io';

function app(version: string): string {
  return `apiVersion: v1
kind: Namespace
metadata: { name: agents }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: default, namespace: agents }
spec: { clusterSet: default }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: agents }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: agent-${version} }
spec:
  addonName: agent
  agentSpec:
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: agent, namespace: default }, data: { version: "${version}" } }
---
apiVersion: ${group}/v1beta1
kind: ClusterManagementAddOn
metadata: { name: agent, annotations: { fleetwright.dev/delivery: compiled } }
spec:
  defaultConfigs: [{ group: ${group}, resource: addontemplates, name: agent-${version} }]
  installStrategy:
    type: Placements
    placements:
    - { name: all, namespace: agents, rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: ${perWave} } } }
`;
}

/** Returns the objects of the clusters in the output, as a hub has them whose agents have reported them. */
async function objectsOnHub(folder: string): Promise<ReadonlyMap<string, readonly KubernetesObject[]>> {
  const onClusters: KubernetesObject[] = [];
  const works: KubernetesObject[] = [];
  const time = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, '');
  for (const file of await readdir(path.join(folder, 'dist/agent/clusters'))) {
    if (!file.startsWith('managedclusteraddon_')) continue;
    const text = await readFile(path.join(folder, 'dist/agent/clusters', file), 'utf8');
    for (const document of parseAllDocuments(text)) {
      const object = document.toJS() as KubernetesObject;
      if (object.kind !== 'ManifestWork') onClusters.push(object);
      else {
        const conditions = ['Applied', 'Available'].map((type) => ({
          type,
          status: 'True',
          reason: `${type}ManifestWorkComplete`,
          message: 'All resources are available',
          observedGeneration: 1,
          lastTransitionTime: time,
        }));
        works.push({
          ...object,
          metadata: { ...object.metadata, generation: 1 },
          status: { conditions },
        });
      }
    }
  }
  return new Map([
    ['managedclusteraddons', onClusters],
    ['manifestworks', works],
  ]);
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  process.stdout.write('| clusters | promote | requests | time (s) | CPU (s) | memory (MB) |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const cwd = path.join(folder, String(clusters));
    const git = (...parameters: readonly string[]): void => {
      const env = { GIT_AUTHOR_NAME: 'Bench', GIT_COMMITTER_NAME: 'Bench', EMAIL: 'bench@example.com' };
      execFileSync('git', parameters, { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
    };
    const commit = (): void => {
      git('add', '--all');
      git('commit', '--quiet', '--message', 'Change');
    };
    const kubeconfig = path.join(folder, 'kubeconfig');
    const run = async (command: string, exitCode: number) =>
      await processCost(process.execPath, [fleetwright, ...command.split(' ')], {
        cwd,
        exitCodes: [exitCode],
      });
    const promote = async (exitCode: number) =>
      await run(`promote --commit --kubeconfig ${kubeconfig}`, exitCode);

    await mkdir(path.join(cwd, 'apps/agent'), { recursive: true });
    git('init', '--quiet');
    for (const setting of ['user.name', 'user.email']) git('config', setting, 'bench@example.com');
    await writeFile(path.join(cwd, 'fleet.json'), exampleFleet(clusters));
    await writeFile(path.join(cwd, 'apps/agent/app.yaml'), app('1'));
    await run('synth', 0);
    await mkdir(path.join(cwd, 'promotions'));
    const promotion =
      'apiVersion: fleetwright.dev/v1alpha1\nkind: Promotion\nmetadata: { name: agent }\nspec: {}\n';
    await writeFile(path.join(cwd, 'promotions/agent.yaml'), promotion);
    commit();
    const earlier = await pagingHub(await objectsOnHub(cwd));
    await writeFile(kubeconfig, earlier.kubeconfig);
    await promote(0);
    await writeFile(path.join(cwd, 'apps/agent/app.yaml'), app('2'));
    commit();
    await run('synth', 0);
    commit();
    const report = (step: string, requests: number, cost: Awaited<ReturnType<typeof run>>): void => {
      const figures = [
        cost.seconds.toFixed(2),
        cost.cpuSeconds.toFixed(2),
        (cost.peakMemory / 1e6).toFixed(0),
      ];
      process.stdout.write(`| ${[clusters, step, requests, ...figures].join(' | ')} |\n`);
    };
    const first = earlier.counts().requests;
    const beginning = await promote(3);
    const before = earlier.counts().requests;
    report('begins', before - first, beginning);
    const waiting = await promote(4);
    report('waits', earlier.counts().requests - before, waiting);
    await earlier.close();
    const current = await pagingHub(await objectsOnHub(cwd));
    await writeFile(kubeconfig, current.kubeconfig);
    const advancing = await promote(3);
    report('advances', current.counts().requests, advancing);
    await current.close();
  }
} finally {
  await rm(folder, { recursive: true });
}

// Measures `verify --hub` as a whole process, with a hub and its placement server on this machine. The server answers as predicted, so
// what is measured is the command alone.
// Run with: npm run build && node --import tsx bench/verify.ts [CLUSTERS…]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clusterGroup } from '../schemas/groups.ts';
import type { PlacementV1beta1 } from '../schemas/types.gen.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import { simulator, type ScheduledObjects, type Simulate } from '../src/compiler/verify/index.ts';
import { fleetObjects, pagingHub } from './paging-hub.ts';
import { processCost } from './process-cost.ts';

const fleetwright = path.resolve(import.meta.dirname, '../build/cli/main.js');
const named = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const sizes = named.length > 0 ? named.map(Number) : [1000, 10_000];
const count = 200;
const namespace = 'fleet';
const apiVersion = `${clusterGroup}/v1beta1`;

function placement(index: number): object {
  const env = ['dev', 'stage', 'prod'][index % 3] ?? '';
  const regions = [`region-${index % 12}`, `region-${(index + 5) % 12}`];
  return {
    apiVersion,
    kind: 'Placement',
    metadata: { name: `placement-${index}`, namespace },
    spec: {
      ...(index % 2 === 0 && { numberOfClusters: 1 + index }),
      // With Balance, the decisions of all Placements would depend on each other.
      prioritizerPolicy: {
        mode: 'Exact',
        configurations: [{ scoreCoordinate: { type: 'BuiltIn', builtIn: 'Steady' }, weight: 1 }],
      },
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: {
              matchLabels: { env },
              matchExpressions: [{ key: 'region', operator: 'In', values: regions }],
            },
          },
        },
      ],
    },
  };
}

const set = {
  apiVersion: `${clusterGroup}/v1beta2`,
  kind: 'ManagedClusterSet',
  metadata: { name: 'global' },
  spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
};
const binding = {
  apiVersion: `${clusterGroup}/v1beta2`,
  kind: 'ManagedClusterSetBinding',
  metadata: { name: 'global', namespace },
  spec: { clusterSet: 'global' },
};

function simulatorOf(fleet: ReadonlyMap<string, readonly object[]>): Simulate {
  const scheduled = {
    managedClusters: fleet.get('managedclusters'),
    managedClusterSets: [set],
    managedClusterSetBindings: [binding],
    addOnPlacementScores: [],
    placementDecisions: fleet.get('placementdecisions'),
  } as object as ScheduledObjects;
  return simulator(scheduled, { now: Date.now(), cel: hubVersion('1.3').cel });
}

/** What the hub has decided: at most 100 clusters in each object. */
function decisionsOf(simulate: Simulate, placements: readonly PlacementV1beta1[]): readonly object[] {
  return placements.flatMap((each) => {
    const answer = simulate(each, 'of its sets');
    if ('reason' in answer) throw new Error(answer.message);
    const names = [...(answer.choice ?? [])].sort();
    const name = each.metadata.name ?? '';
    return Array.from({ length: Math.ceil(names.length / 100) }, (_, index) => ({
      metadata: {
        name: `${name}-decision-${index + 1}`,
        namespace,
        labels: {
          'cluster.open-cluster-management.io/placement': name,
          'cluster.open-cluster-management.io/decision-group-index': '0',
          'cluster.open-cluster-management.io/decision-group-name': '',
        },
      },
      status: {
        decisions: names
          .slice(index * 100, (index + 1) * 100)
          .map((clusterName) => ({ clusterName, reason: '' })),
      },
    }));
  });
}

/** Answers as the placement server of OCM 1.3. */
function placementServer(simulate: Simulate): (body: string) => string {
  return (body) => {
    const asked = JSON.parse(body) as PlacementV1beta1;
    const answer = simulate(asked, 'of its sets');
    if ('reason' in answer) return JSON.stringify({ error: answer.message });
    const choice = new Set(answer.choice);
    const filters = answer.filters.map(({ name, clusters }) => ({ name, filteredClusters: clusters }));
    const last = filters.at(-1);
    // The scheduler sorts the result of its last filter by the scores.
    if (last !== undefined) last.filteredClusters = [...new Set([...choice, ...last.filteredClusters])];
    return JSON.stringify({
      placement: asked,
      filteredPipelineResults: filters,
      prioritizeResults: answer.prioritizers.map(({ name, weight, scores }) => ({
        name,
        weight,
        scores: Object.fromEntries(scores),
      })),
      aggregatedScores: Array.from(answer.totals ?? [], ([clusterName, score]) => ({ clusterName, score })),
    });
  };
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  await mkdir(path.join(folder, 'apps/app'), { recursive: true });
  await writeFile(path.join(folder, 'fleetwright.yaml'), "hubVersion: '1.3'\n");
  const placements = Array.from({ length: count }, (_, index) => placement(index) as PlacementV1beta1);
  const written = placements.map((each) => JSON.stringify(each));
  await writeFile(path.join(folder, 'apps/app/placements.yaml'), written.join('\n---\n'));
  process.stdout.write('| clusters | Placements | requests | time (s) | CPU (s) | memory (MB) |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const fleet = new Map(fleetObjects(clusters, 0));
    fleet.set('managedclustersets', [set]);
    fleet.set('managedclustersetbindings', [binding]);
    for (const kind of ['clustermanagementaddons', 'addontemplates', 'addondeploymentconfigs'])
      fleet.set(kind, []);
    fleet.set('placements', placements);
    const simulate = simulatorOf(fleet);
    fleet.set('placementdecisions', decisionsOf(simulate, placements));
    const hub = await pagingHub(fleet, undefined, placementServer(simulatorOf(fleet)));
    const kubeconfig = path.join(folder, 'kubeconfig');
    await writeFile(kubeconfig, hub.kubeconfig);
    const words = ['verify', '--hub', '--kubeconfig', kubeconfig, '--placement-server', hub.url];
    const cost = await processCost(process.execPath, [fleetwright, ...words], { cwd: folder });
    const cells = [
      clusters,
      count,
      hub.counts().requests,
      cost.seconds.toFixed(2),
      cost.cpuSeconds.toFixed(2),
      (cost.peakMemory / 1e6).toFixed(0),
    ];
    await hub.close();
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}

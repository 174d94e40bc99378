// Compares synth with and without parameters, as whole processes: 20 add-ons whose AddOnDeploymentConfig has five variables. `one` gives
// each add-on one configuration, without any layer. `layers` has five layers per add-on: for all clusters, for a placement, for regions,
// for a claim, and for single clusters. `by hand` has the objects that synth emits for these layers. The ratios are of processor time.
// Run with: npm run build && node --import tsx bench/parameters.ts [--runs=3] [--override=placement] [CLUSTERS…]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { individualObjects } from '../src/compiler/deliver/individual-objects.ts';
import { load } from '../src/compiler/load/load.ts';
import { resolve } from '../src/compiler/resolve.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import { clusterNames, exampleFleet } from './example-app.ts';
import { byFloor, jsonFloor } from './floor.ts';
import { processCost, type ProcessCost } from './process-cost.ts';

const addOns = Array.from({ length: 20 }, (_, index) => `add-on-${index}`);
const fleetwright = path.resolve(import.meta.dirname, '../build/cli/main.js');
const addOnGroup = 'addon.open-cluster-management.io';
const clusterGroup = 'cluster.open-cluster-management.io';
const namespace = 'agents';
const environments = ['dev', 'stage', 'prod'];
const variables = ['COLLECTOR', 'LOG_LEVEL', 'MODE', 'REPLICAS', 'ZONE'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '3' },
    override: { type: 'string', default: 'placement' },
  },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [1000, 10_000];

function sharedObjects(): object[] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: `${clusterGroup}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: { name: 'default', namespace },
      spec: { clusterSet: 'default' },
    },
    ...environments.map((env) => ({
      apiVersion: `${clusterGroup}/v1beta1`,
      kind: 'Placement',
      metadata: { name: env, namespace },
      spec: {
        predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env } } } }],
        tolerations: ['unreachable', 'unavailable'].map((name) => ({
          key: `${clusterGroup}/${name}`,
          operator: 'Exists',
        })),
      },
    })),
  ];
}

function addOnObjects(name: string, config?: object): object[] {
  const data = Object.fromEntries(variables.map((variable) => [variable, `{{${variable}}}`]));
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
  return [
    {
      apiVersion: `${addOnGroup}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name },
      spec: { addonName: name, agentSpec: { workload: { manifests: [manifest] } } },
    },
    {
      apiVersion: `${addOnGroup}/v1beta1`,
      kind: 'ClusterManagementAddOn',
      metadata: { name, annotations: { 'fleetwright.dev/override': values.override } },
      spec: {
        defaultConfigs: [
          { group: addOnGroup, resource: 'addontemplates', name },
          ...(config ? [config] : []),
        ],
        installStrategy: {
          type: 'Placements',
          placements: environments.map((env) => ({ name: env, namespace })),
        },
      },
    },
  ];
}

function oneConfig(name: string): object[] {
  const reference = { group: addOnGroup, resource: 'addondeploymentconfigs', namespace, name };
  return [
    ...addOnObjects(name, reference),
    {
      apiVersion: `${addOnGroup}/v1alpha1`,
      kind: 'AddOnDeploymentConfig',
      metadata: { name, namespace },
      spec: {
        agentInstallNamespace: namespace,
        customizedVariables: variables.map((variable) => ({ name: variable, value: 'value' })),
      },
    },
  ];
}

function layers(name: string, index: number, clusters: readonly string[]): object[] {
  const single = [clusters[index], clusters[index + addOns.length]].filter(
    (cluster) => cluster !== undefined,
  );
  return [
    ...addOnObjects(name),
    {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'AddOnParameters',
      metadata: { name, namespace },
      spec: {
        parameters: {
          COLLECTOR: { type: 'string', default: 'https://metrics.example.com' },
          LOG_LEVEL: { type: 'enum', values: ['debug', 'info', 'warn'], default: 'info' },
          MODE: { type: 'string', default: 'small' },
          REPLICAS: { type: 'integer', default: 1, min: 1 },
          ZONE: { type: 'string' },
          namespace: { type: 'string', field: 'agentInstallNamespace', default: namespace },
        },
        layers: [
          { values: { ZONE: { $text: 'zone-${cluster.set}' } } },
          { placement: 'prod', values: { REPLICAS: 3, LOG_LEVEL: 'warn' } },
          {
            where: { region: ['eu-central-1', 'ap-south-1'] },
            values: { COLLECTOR: 'https://metrics.east.example.com' },
          },
          { claims: { 'platform.open-cluster-management.io': 'aws' }, values: { MODE: 'large' } },
          { clusters: single, values: { LOG_LEVEL: 'debug' } },
        ],
      },
    },
  ];
}

/** Returns the objects of each app. */
function appObjects(clusters: number, fleet: string): ReadonlyMap<string, readonly object[]> {
  const names = clusterNames(clusters);
  const layered = [...sharedObjects(), ...addOns.flatMap((name, index) => layers(name, index, names))];
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
  const { value } = load([
    { file: 'app.json', text: listOf(layered), source: 'app' },
    { file: 'fleet.json', text: fleet, source: 'fleet' },
  ]);
  const { value: resolution, diagnostics } = resolve(value, { now: Date.now(), hub: target.hub });
  if (resolution === undefined) throw new Error(`the example is wrong: ${JSON.stringify(diagnostics[0])}`);
  return new Map([
    ['one', [...sharedObjects(), ...addOns.flatMap(oneConfig)]],
    ['layers', layered],
    ['by hand', individualObjects(resolution, target)],
  ]);
}

function listOf(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

const least = (costs: readonly ProcessCost[], figure: (cost: ProcessCost) => number): number =>
  Math.min(...costs.map(figure));

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`;
try {
  const heads = [
    'clusters',
    'app',
    'objects',
    'time (s)',
    'CPU (s)',
    'by one',
    'by hand',
    'by floor',
    'memory (MB)',
  ];
  process.stdout.write(line(heads) + line(heads.map(() => '---')));
  for (const clusters of sizes) {
    const fleet = exampleFleet(clusters);
    const objects = appObjects(clusters, fleet);
    const costs = new Map<string, ProcessCost[]>();
    const parameters = (app: string): string[] => {
      const workspace = path.join(folder, app);
      const apps = ['--apps', path.join(workspace, 'apps'), '--fleet', path.join(workspace, 'fleet.json')];
      return [fleetwright, 'synth', ...apps, '--out', path.join(workspace, 'dist')];
    };
    for (const [app, items] of objects) {
      await mkdir(path.join(folder, app, 'apps/example'), { recursive: true });
      await writeFile(path.join(folder, app, 'fleet.json'), fleet);
      await writeFile(path.join(folder, app, 'apps/example/objects.json'), listOf(items));
      costs.set(app, []);
    }
    for (let run = 0; run < Number(values.runs); run++)
      for (const [app, each] of costs) {
        await rm(path.join(folder, app, 'dist'), { recursive: true, force: true });
        each.push(await processCost(process.execPath, parameters(app)));
      }
    const cpuOf = (app: string): number => least(costs.get(app) ?? [], ({ cpuSeconds }) => cpuSeconds);
    const emitted = objects.get('by hand') ?? [];
    const floor = jsonFloor([fleet], [emitted]) / 1000;
    for (const [app, each] of costs) {
      const cpu = cpuOf(app);
      process.stdout.write(
        line([
          clusters,
          app,
          objects.get(app)?.length ?? 0,
          least(each, ({ seconds }) => seconds).toFixed(1),
          cpu.toFixed(2),
          ...['one', 'by hand'].map((other) => `${(cpu / cpuOf(other)).toFixed(2)} ×`),
          byFloor(cpu, floor),
          (least(each, ({ peakMemory }) => peakMemory) / 1e6).toFixed(0),
        ]),
      );
    }
    await rm(folder, { recursive: true });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

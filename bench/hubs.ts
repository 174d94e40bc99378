// Measures one `plan` of a workspace with five hubs of 2,000 clusters and 20 add-ons each, compared with one `plan` per hub in
// workspaces with one hub. The change edits one template and one configuration on every hub, and moves clusters to another
// environment. Run with: npm run build && node --import tsx bench/hubs.ts [CLUSTERS]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { forHub } from '../src/compiler/admit/conversion/for-hub.ts';
import { yamlDocument } from '../src/compiler/emit/yaml.ts';
import { load } from '../src/compiler/load/load.ts';
import { loadConstructs } from '../src/compiler/load/constructs.ts';
import { resolve } from '../src/compiler/resolve.ts';
import { collect } from '../constructs/collect.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import { exampleApp, exampleFleet } from './example-app.ts';
import { byFloor, jsonFloor } from './floor.ts';
import { processCost, type ProcessCost } from './process-cost.ts';

const addOns = 20;
const hubs = ['dev', 'stage', 'prod-eu', 'prod-us', 'prod-asia'];
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const clusters = Number(process.argv[2] ?? 2000);
const fleetwright = path.resolve(import.meta.dirname, '../build/cli/main.js');

/** Returns the manifests of the app as text. Every hub has the same. */
function manifests(fleet: string): string {
  const { objects } = collect(exampleApp(clusters, addOns, { overrides: 1 }));
  const snapshot = load([{ file: 'fleet.json', text: fleet, source: 'fleet' }]);
  const { value, diagnostics } = resolve([...loadConstructs(objects).value, ...snapshot.value], {
    now: Date.parse('2026-06-01T00:00:00Z'),
    hub: target.hub,
  });
  if (value === undefined) throw new Error(`the example is wrong: ${JSON.stringify(diagnostics[0])}`);
  return value.inventory.objects
    .filter(({ source }) => source === 'app')
    .map(({ object }) => yamlDocument(forHub(object, target)))
    .join('---\n');
}

function edited(text: string): string {
  return text.replace('{{LOG_LEVEL}}', '{{LOG_LEVEL}} edited');
}

function relabelled(fleet: string): string {
  let seen = 0;
  return fleet.replaceAll('"env":"dev"', (label) => (seen++ % 33 === 0 ? '"env":"prod"' : label));
}

/** Writes a state of a workspace with some hubs, which have different fleets of the same size. */
async function writeState(
  folder: string,
  names: readonly string[],
  app: string,
  fleetOf: (hub: string) => string,
): Promise<void> {
  await mkdir(path.join(folder, 'apps/example'), { recursive: true });
  await mkdir(path.join(folder, 'fleets'), { recursive: true });
  await writeFile(path.join(folder, 'apps/example/hub.yaml'), app);
  const settings = names.map(
    (name) => `  ${name}: { fleet: fleets/${name}.json, facts: { hub: ${name} } }\n`,
  );
  await writeFile(
    path.join(folder, 'fleetwright.yaml'),
    `plan: { by: [env, region] }\nhubs:\n${settings.join('')}`,
  );
  for (const name of names) await writeFile(path.join(folder, `fleets/${name}.json`), fleetOf(name));
}

function row(command: string, { seconds, cpuSeconds, peakMemory }: Omit<ProcessCost, 'err'>): string {
  return `| ${command} | ${seconds.toFixed(2)} | ${cpuSeconds.toFixed(2)} | ${(peakMemory / 1e6).toFixed(0)} |\n`;
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  const fleet = exampleFleet(clusters);
  const app = manifests(fleet);
  // The snapshots differ in a text of each cluster, as those of real hubs do.
  const fleetOf = (hub: string): string => fleet.replaceAll('"env":', `"hub":"${hub}","env":`);
  const planned = async (names: readonly string[]): Promise<ProcessCost> => {
    const [base, head] = ['base', 'head'].map((state) => path.join(folder, names.join('+'), state));
    if (base === undefined || head === undefined) throw new Error('there are two states');
    await writeState(base, names, app, fleetOf);
    await writeState(head, names, edited(app), (hub) => relabelled(fleetOf(hub)));
    return await processCost(process.execPath, [fleetwright, 'plan', base, head]);
  };
  process.stdout.write('| command | time (s) | CPU (s) | memory (MB) |\n| --- | --- | --- | --- |\n');
  const single: ProcessCost[] = [];
  for (const hub of hubs) {
    const cost = await planned([hub]);
    single.push(cost);
    process.stdout.write(row(`plan of ${hub}`, cost));
  }
  const all = await planned(hubs);
  process.stdout.write(row(`plan of ${hubs.length} hubs`, all));
  const cpu = single.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const [before, after] = [hubs.map(fleetOf), hubs.map((hub) => relabelled(fleetOf(hub)))];
  const floor = jsonFloor(
    [...before, ...after],
    after.map((text) => JSON.parse(text) as unknown),
  );
  const memory = Math.max(...single.map(({ peakMemory }) => peakMemory));
  process.stdout.write(
    `\nprocessor time: ${(all.cpuSeconds / cpu).toFixed(2)} × the sum; memory: ${(all.peakMemory / memory).toFixed(2)} × one plan; processor time by floor: ${byFloor(all.cpuSeconds * 1000, floor)}\n`,
  );
} finally {
  await rm(folder, { recursive: true });
}

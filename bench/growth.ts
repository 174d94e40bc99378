// Measures how plan, synth, resolve and validate grow with the clusters, as whole processes: 20 add-ons that the hub delivers, and a
// separate configuration of one add-on for every tenth cluster. Each row has ten times the clusters of the row above. 100,000 clusters
// take some minutes and 2 GB. Run with: npm run build && node --import tsx bench/growth.ts [--runs=3] [--commands=plan,synth] [CLUSTERS…]
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { processCost, type ProcessCost } from './process-cost.ts';
import { baseState, headState, writeState } from './states.ts';

const addOns = 20;
const fleetwright = path.resolve(import.meta.dirname, '../build/cli/main.js');
const commands = ['plan', 'synth', 'resolve', 'validate'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '3' },
    commands: { type: 'string', default: commands.join(',') },
  },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [100, 1000, 10_000];
const selected = commands.filter((command) => values.commands.split(',').includes(command));

/** Writes both states, and a workspace with the app of the base as YAML. */
async function writeInputs(folder: string, clusters: number): Promise<void> {
  const base = baseState(clusters, addOns, 1);
  await writeState(path.join(folder, 'base'), base);
  await writeState(path.join(folder, 'head'), headState(base));
  // As an app, the output needs neither its kustomization nor the list of its files.
  const app = path.join(folder, 'workspace/apps/example');
  await writeState(path.join(folder, 'workspace'), base);
  await mkdir(path.dirname(app));
  await rename(path.join(folder, 'workspace/dist/example'), app);
  await rm(path.join(folder, 'workspace/fleetwright.yaml'));
  await rename(path.join(folder, 'workspace/fleet.json'), path.join(app, 'fleet.json'));
  for (const name of ['kustomization.yaml', 'resolution.yaml', '.fleetwright.json'])
    await rm(path.join(app, name));
}

function parametersOf(command: (typeof commands)[number], folder: string): string[] {
  const workspace = path.join(folder, 'workspace');
  const app = path.join(workspace, 'apps/example');
  if (command === 'plan') {
    const states = [path.join(folder, 'base'), path.join(folder, 'head')];
    return ['plan', ...states, '--by', 'env,region'];
  }
  if (command === 'synth')
    return ['synth', '--apps', path.dirname(app), '--out', path.join(workspace, 'dist')];
  return command === 'resolve' ? ['resolve', app, '-o', 'json'] : ['validate', app];
}

function least(costs: readonly ProcessCost[], figure: (cost: ProcessCost) => number): number {
  return Math.min(...costs.map(figure));
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
const previous = new Map<string, number>();
try {
  process.stdout.write('| clusters | command | time (s) | CPU (s) | growth | memory (MB) |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const inputs = path.join(folder, String(clusters));
    await writeInputs(inputs, clusters);
    const costs = new Map<string, ProcessCost[]>(selected.map((command) => [command, []]));
    for (let run = 0; run < Number(values.runs); run++) {
      for (const command of selected) {
        const parameters = ['--max-old-space-size=4096', fleetwright, ...parametersOf(command, inputs)];
        costs.get(command)?.push(await processCost(process.execPath, parameters));
      }
    }
    for (const [command, each] of costs) {
      const cpu = least(each, (cost) => cost.cpuSeconds);
      const before = previous.get(command);
      previous.set(command, cpu);
      const cells = [
        clusters,
        command,
        least(each, (cost) => cost.seconds).toFixed(1),
        cpu.toFixed(1),
        before === undefined ? '' : `× ${(cpu / before).toFixed(1)}`,
        (least(each, (cost) => cost.peakMemory) / 1e6).toFixed(0),
      ];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
    await rm(inputs, { recursive: true });
  }
} finally {
  await rm(folder, { recursive: true });
}

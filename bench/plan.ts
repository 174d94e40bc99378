// Measures `plan` as a whole process at 1,000 and 10,000 clusters with 20 add-ons, compared with `kustomize build` of
// one of the two trees that it compares. The pull request moves every hundredth cluster to another environment, which
// three placements select by, edits one template and one configuration. Every tenth cluster has a separate
// configuration for one add-on, or with --many-overrides for all of them. Two floors are measured in the same run: JSON.parse and
// JSON.stringify of texts in memory, and a process that reads the same files and does only that.
// Run with: npm run build && node --import tsx bench/plan.ts [--many-overrides] [--timings] [--no-kustomize]
// [CLUSTERS…]
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { byFloor, jsonFloor } from './floor.ts';
import { processCost, type ProcessCost } from './process-cost.ts';
import { baseState, headState, writeState } from './states.ts';

const addOns = 20;
const root = path.resolve(import.meta.dirname, '..');
const fleetwright = path.join(root, 'build/cli/main.js');

/** The number of runs of each process, in turn. The table has the cheapest of each. */
const runs = 3;
const readAndWrite = path.join(import.meta.dirname, 'read-and-write.mjs');

const options = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const named = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const sizes = named.length > 0 ? named.map(Number) : [1000, 10_000];
const overrides = options.has('--many-overrides') ? addOns : 1;

function cheapest(costs: readonly ProcessCost[]): ProcessCost {
  return costs.reduce((least, cost) => (cost.cpuSeconds < least.cpuSeconds ? cost : least));
}

/** @throws Error if Go is not installed. */
async function buildKustomize(folder: string): Promise<string> {
  const program = path.join(folder, 'kustomize');
  await promisify(execFile)('go', ['build', '-o', program, 'sigs.k8s.io/kustomize/kustomize/v5'], {
    cwd: path.join(root, 'bench/kustomize'),
  });
  return program;
}

function row(
  clusters: number,
  objects: number,
  command: string,
  cost: ProcessCost,
  floors: { readonly json: number; readonly process: ProcessCost },
  beside?: ProcessCost,
): string {
  const ratio = beside === undefined ? '' : `${(cost.cpuSeconds / beside.cpuSeconds).toFixed(1)} ×`;
  const cells = [
    clusters,
    objects,
    command,
    cost.seconds.toFixed(2),
    cost.cpuSeconds.toFixed(2),
    (cost.peakMemory / 1e6).toFixed(0),
    byFloor(cost.cpuSeconds * 1000, floors.json),
    byFloor(cost.cpuSeconds, floors.process.cpuSeconds),
    ratio,
  ];
  return `| ${cells.join(' | ')} |\n`;
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  const kustomize = options.has('--no-kustomize') ? undefined : await buildKustomize(folder);
  process.stdout.write(
    '| clusters | objects | command | time (s) | CPU (s) | memory (MB) | CPU by floor | CPU by process | CPU by plan |\n',
  );
  process.stdout.write('| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const [base, head] = ['base', 'head'].map((state) => path.join(folder, String(clusters), state));
    if (base === undefined || head === undefined) continue;
    const before = baseState(clusters, addOns, overrides);
    const after = headState(before);
    await writeState(base, before);
    await writeState(head, after);
    const texts = [before, after].map(({ objects }) => JSON.stringify(objects));
    const written = [...after.objects, JSON.parse(after.fleet) as unknown];
    for (const [index, state] of [base, head].entries())
      await writeFile(path.join(state, 'objects.json'), texts[index] ?? '');
    const parameters = ['plan', base, head, '--by', 'env,region'];
    const plans: ProcessCost[] = [];
    const reads: ProcessCost[] = [];
    for (let run = 0; run < runs; run++) {
      reads.push(await processCost(process.execPath, [readAndWrite, base, head]));
      plans.push(await processCost(process.execPath, [fleetwright, ...parameters, '--timings']));
    }
    const [plan, reading] = [cheapest(plans), cheapest(reads)];
    const floors = {
      json: jsonFloor([before.fleet, after.fleet, ...texts], written),
      process: reading,
    };
    process.stdout.write(row(clusters, before.objects.length, 'plan', plan, floors));
    process.stdout.write(row(clusters, before.objects.length, 'read and write', reading, floors, plan));
    if (options.has('--timings')) process.stdout.write(plan.err.slice(plan.err.indexOf('timings\n')));
    if (kustomize === undefined) continue;
    const build = await processCost(kustomize, ['build', path.join(base, 'dist/example')]);
    process.stdout.write(row(clusters, before.objects.length, 'kustomize build', build, floors, plan));
  }
} finally {
  await rm(folder, { recursive: true });
}

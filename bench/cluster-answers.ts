// Measures what the answers of the clusters cost `plan`: the rules for work agents, API servers and webhooks, and the changes that clusters
// refuse. A bundle of the sources counts the processor time of these parts in the process that runs them, so that the share holds on a
// busy machine. Another bundle leaves them out, and both run in turn. The states are those of plan.ts, with 20 add-ons.
// Run with: node --import tsx bench/cluster-answers.ts [--rounds N] [CLUSTERS…]
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { processCost } from './process-cost.ts';
import { baseState, headState, writeState } from './states.ts';

const addOns = 20;
const root = path.resolve(import.meta.dirname, '..');

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const sizes = positionals.length > 0 ? positionals.map(Number) : [1000, 10_000];

/** A part of the phase: its module, and what counts its time or replaces it. */
interface Part {
  readonly file: string;
  readonly counted: string;
  readonly leftOut: string;
}

/** The processor time of the phase, in microseconds, is a property of the process. */
const counting = `
const spentIn = (run) => {
  const before = process.cpuUsage();
  try {
    return run();
  } finally {
    const { user, system } = process.cpuUsage(before);
    process.phaseTime = (process.phaseTime ?? 0) + user + system;
  }
};
if (process.phaseTime === undefined) {
  process.phaseTime = 0;
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    process.stderr.write('phase ' + process.phaseTime + ' of ' + (user + system) + '\\n');
  });
}`;

const ruleList = (file: string, name: string): Part => ({
  file,
  counted: `
for (const [index, rule] of ${name}.entries())
  ${name}[index] = { ...rule, check: (input) => spentIn(() => [...rule.check(input)]) };`,
  leftOut: `export const ${name} = [];`,
});

const parts: readonly Part[] = [
  ruleList('src/compiler/check/cluster/index.ts', 'clusterRules'),
  ruleList('src/compiler/check/webhooks/index.ts', 'webhookRules'),
  {
    file: 'src/compiler/compare/cluster/cluster-answers.ts',
    counted: `
const { addTo } = ClusterAnswers.prototype;
ClusterAnswers.prototype.addTo = function (change) { return spentIn(() => addTo.call(this, change)); };`,
    leftOut: 'export class ClusterAnswers { addTo(change) { return change; } }',
  },
];

/** Replaces the modules of the phase. */
function replacing(contentsOf: (part: Part, source: string) => string): Plugin {
  return {
    name: 'replacing',
    setup(building) {
      const replaced = new Set<Part>();
      for (const part of parts)
        building.onLoad({ filter: new RegExp(`${part.file.replaceAll(/[./]/g, '\\$&')}$`) }, async (args) => {
          replaced.add(part);
          return { contents: contentsOf(part, await readFile(args.path, 'utf8')), loader: 'ts' };
        });
      building.onEnd(() => {
        if (replaced.size < parts.length) throw new Error('a module of the phase has another name now');
      });
    },
  };
}

/** Bundles the command, and returns its file. */
async function bundle(folder: string, plugin: Plugin): Promise<string> {
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/startup/main.ts' },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    splitting: true,
    packages: 'external',
    logLevel: 'warning',
    plugins: [plugin],
  });
  return path.join(folder, 'main.js');
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function ranged(ratios: readonly number[]): string {
  return `${percent(median(ratios))} (${percent(Math.min(...ratios))} to ${percent(Math.max(...ratios))})`;
}

/** Returns how much more a plan takes with the phase, by its own account, and prints what the processes took. */
async function measure(clusters: number, base: string, head: string): Promise<string> {
  const costs: [number[], number[]] = [[], []];
  const shares: number[] = [];
  for (let round = 0; round < rounds; round++)
    // the first of a round is the other one each time
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const parameters = [commands[index] ?? '', 'plan', base, head, '--by', 'env,region'];
      const { cpuSeconds, err } = await processCost(process.execPath, parameters);
      costs[index].push(cpuSeconds);
      const [, phase, all] = /^phase (\d+) of (\d+)$/m.exec(err) ?? [];
      if (phase !== undefined) shares.push(Number(phase) / (Number(all) - Number(phase)));
    }
  if (shares.length !== rounds) throw new Error('a process did not count the time of the phase');
  const [whole, part] = costs.map(median) as [number, number];
  const cells = [
    clusters.toLocaleString('en'),
    `${whole.toFixed(2)} s`,
    `${part.toFixed(2)} s`,
    ranged(costs[0].map((cost, round) => cost / (costs[1][round] ?? Number.NaN) - 1)),
    ranged(shares),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

// two folders below the root, as the sources: from there the program reads package.json, and Node finds the packages
await mkdir(path.join(root, 'build'), { recursive: true });
const folderOf = async (): Promise<string> => mkdtemp(path.join(root, 'build/bench-'));
const [complete, partial] = [await folderOf(), await folderOf()];
const states = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
const commands = await Promise.all([
  bundle(
    complete,
    replacing(({ counted }, source) => `${source}${counting}${counted}`),
  ),
  bundle(
    partial,
    replacing(({ leftOut }) => leftOut),
  ),
]);
try {
  process.stdout.write(
    '| clusters | plan | without the answers | more, by round | more, as counted in the process |\n',
  );
  process.stdout.write('| --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const [base, head] = [path.join(states, `${clusters}/base`), path.join(states, `${clusters}/head`)];
    const before = baseState(clusters, addOns, 1);
    await writeState(base, before);
    await writeState(head, headState(before));
    process.stdout.write(await measure(clusters, base, head));
  }
} finally {
  for (const folder of [complete, partial]) await rm(folder, { recursive: true });
  await rm(states, { recursive: true });
}

// Compares synth with cdk8s's own App.synth() of the same construct tree, at 10, 100 and 1,000 clusters with 20 add-ons. cdk8s creates
// the constructs, renders them and writes files. `write` is the part of ours that does the same; `synth` also reads the fleet, admits
// all objects, simulates the hub and checks the result. Both run in one process, in turn, bundled as the package is: tsx adds a call
// to every function. Run with: node --import tsx bench/synth.ts [--runs=5] [CLUSTERS…]
// Set TMPDIR to a folder in memory to leave out the time in which the file system creates files.
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { byFloor } from './floor.ts';
import type { Step, SynthRuns } from './synth-run.ts';

const root = path.resolve(import.meta.dirname, '..');
// Below node_modules, where the bundle finds the packages that are not part of it.
const folder = path.join(root, 'node_modules/.cache/bench-synth');
const program = path.join(folder, 'synth-run.mjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' } },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [10, 100, 1000];

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

await mkdir(folder, { recursive: true });
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/synth-run.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    alias: { fleetwright: path.join(root, 'constructs/index.ts') },
    logLevel: 'warning',
  });
  const heads = ['clusters', 'objects', 'output', 'cdk8s', 'write', 'cdk8s/write', 'synth', 'cdk8s/synth'];
  process.stdout.write(line([...heads, 'resolve', 'synth by floor']) + line(Array(10).fill('---')));
  for (const clusters of sizes) {
    const parameters = [program, String(clusters), values.runs];
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { maxBuffer: 1e7 });
    const { objects, floor, runs } = JSON.parse(stdout) as SynthRuns;
    // The first run of a process also compiles the code of both.
    const outputs = [
      ['first, cold', 'First', runs.slice(0, 1)],
      ['first', 'First', runs.slice(1)],
      ['unchanged', 'Again', runs.slice(1)],
    ] as const;
    for (const [output, when, used] of outputs) {
      const of = (step: Step): number => median(used.map((run) => run[step]));
      const [cdk8s, write, synth] = [of(`cdk8s${when}`), of(`write${when}`), of(`synth${when}`)];
      const ratios = [write, synth].map((ours) => `${(cdk8s / ours).toFixed(2)} ×`);
      const times = [cdk8s, write, synth, of('resolve')].map((time) => `${time.toFixed(0)} ms`);
      const [theirs = '', writes = '', whole = '', resolves = ''] = times;
      const compared = [theirs, writes, ratios[0] ?? '', whole, ratios[1] ?? ''];
      process.stdout.write(
        line([String(clusters), String(objects), output, ...compared, resolves, byFloor(synth, floor)]),
      );
    }
  }
} finally {
  await rm(folder, { recursive: true });
}

// Measures the cost of running TypeScript apps in confined processes: a cold `synth` of the example apps, without output and without
// compiled code from earlier runs, with and without confinement, alternately. Confined apps run in the sandbox of this machine. The
// ratio is the median of those of the rounds, so that other load of the machine counts for both. Needs the build. Run with:
// node --import tsx bench/confinement.ts
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const rounds = 15;

/** Writes a workspace with the example apps. */
function prepare(folder: string, settings: string): void {
  cpSync(path.join(root, 'apps'), path.join(folder, 'apps'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(path.join(folder, 'fleetwright.yaml'), settings);
  const modules = path.join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(root, path.join(modules, 'fleetwright'));
  for (const name of ['cdk8s', 'cdk8s-plus-27', 'constructs'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
}

/** Returns the seconds that a cold `synth` takes. */
function synth(folder: string): number {
  const caches = path.join(folder, 'caches');
  for (const name of [caches, path.join(folder, 'dist')]) rmSync(name, { recursive: true, force: true });
  const start = performance.now();
  const { status, stderr } = spawnSync('node', [path.join(root, 'build/cli/main.js'), 'synth'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: caches },
  });
  if (status !== 0) throw new Error(`synth ended with ${status}: ${stderr}`);
  return (performance.now() - start) / 1000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

const apps = readdirSync(path.join(root, 'apps')).filter((name) => !name.includes('.'));
const settings = { confined: '', unconfined: `apps: { unconfined: [${apps.join(', ')}] }\n` };
const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-confinement-'));
try {
  const costs = Object.entries(settings).map(([name, text]) => {
    prepare(path.join(folder, name), text);
    return { name, measured: [] as number[] };
  });
  for (let round = 0; round <= rounds; round++) {
    // Each kind is first in half of the rounds.
    for (const { name, measured } of round % 2 === 0 ? costs : costs.toReversed()) {
      const cost = synth(path.join(folder, name));
      // The first round fills the caches of the operating system.
      if (round > 0) measured.push(cost);
    }
  }
  const [confined = [], unconfined = []] = costs.map(({ measured }) => measured);
  const ratios = confined.map((cost, round) => cost / (unconfined[round] ?? NaN));
  process.stdout.write(
    `confined: ${median(confined).toFixed(2)} s\nunconfined: ${median(unconfined).toFixed(2)} s\nratio: ${median(ratios).toFixed(2)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

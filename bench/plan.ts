// Measures `plan` as a whole process at 1,000 and 10,000 clusters with 20 add-ons, compared with `kustomize build` of
// one of the two trees that it compares. The pull request moves every hundredth cluster to another environment, which
// three placements select by, edits one template and one configuration. Every tenth cluster has a separate
// configuration for one add-on, or with --many-overrides for all of them.
// Run with: npm run build && node --import tsx bench/plan.ts [--many-overrides] [--timings] [--no-kustomize]
// [CLUSTERS…]
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeFolder } from '../workspace/output-folder.ts';
import { emit } from '../compiler/emit/emit.ts';
import { admit } from '../compiler/admit/admit.ts';
import { forHub } from '../compiler/admit/for-hub.ts';
import { hasErrors } from '../compiler/diagnostic.ts';
import { hubVersion } from '../ocm/hub-version.ts';
import { loadConstructs } from '../compiler/load/constructs.ts';
import { collect } from '../constructs/collect.ts';
import type { KubernetesObject } from '../kubernetes/object-meta.ts';
import { exampleApp, exampleFleet } from './example-app.ts';
import { byFloor, jsonFloor } from './floor.ts';
import { processCost, type ProcessCost } from './process-cost.ts';

const addOns = 20;
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const root = path.resolve(import.meta.dirname, '..');
const fleetwright = path.join(root, 'build/cli/main.js');

const options = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const named = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const sizes = named.length > 0 ? named.map(Number) : [1000, 10_000];
const overrides = options.has('--many-overrides') ? addOns : 1;

/** Returns the objects of the app as the hub stores them, which is how synth writes them. */
function appObjects(clusters: number): readonly KubernetesObject[] {
  const { objects } = collect(exampleApp(clusters, addOns, { overrides }));
  const { value, diagnostics } = admit(loadConstructs(objects).value);
  if (hasErrors(diagnostics)) throw new Error(`the example is wrong: ${JSON.stringify(diagnostics[0])}`);
  return value.objects.map(({ object }) => forHub(object, target));
}

/**
 * Returns the objects after the pull request: it edits the first add-on's template and the second one's default
 * configuration.
 */
function edited(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.map((object) => {
    const name = object.metadata.name ?? '';
    const isTemplate = object.kind === 'AddOnTemplate' && name.includes('add-on-0-');
    const isConfig = object.kind === 'AddOnDeploymentConfig' && name.includes('add-on-1-default');
    if (!isTemplate && !isConfig) return object;
    const text = JSON.stringify(object);
    const changed = isTemplate
      ? text.replace('{{LOG_LEVEL}}', '{{LOG_LEVEL}} edited')
      : text.replace('"1"', '"one"');
    return JSON.parse(changed) as KubernetesObject;
  });
}

function relabelled(fleet: string): string {
  let seen = 0;
  return fleet.replaceAll('"env":"dev"', (label) => (seen++ % 33 === 0 ? '"env":"prod"' : label));
}

/** Writes the output of synth, and the fleet beside it. `plan` does not read the resolution, so it is empty. */
async function writeState(
  folder: string,
  objects: readonly KubernetesObject[],
  fleet: string,
): Promise<void> {
  await writeFolder(path.join(folder, 'dist/example'), emit(objects, {}, 'argocd'), {});
  await writeFile(path.join(folder, 'fleet.json'), fleet);
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
  floor: number,
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
    byFloor(cost.cpuSeconds * 1000, floor),
    ratio,
  ];
  return `| ${cells.join(' | ')} |\n`;
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  const kustomize = options.has('--no-kustomize') ? undefined : await buildKustomize(folder);
  process.stdout.write(
    '| clusters | objects | command | time (s) | CPU (s) | memory (MB) | CPU by floor | CPU by plan |\n',
  );
  process.stdout.write('| --- | --- | --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of sizes) {
    const [base, head] = ['base', 'head'].map((state) => path.join(folder, String(clusters), state));
    if (base === undefined || head === undefined) continue;
    const objects = appObjects(clusters);
    const fleet = exampleFleet(clusters);
    await writeState(base, objects, fleet);
    const changed = { objects: edited(objects), fleet: relabelled(fleet) };
    await writeState(head, changed.objects, changed.fleet);
    const texts = [objects, changed.objects].map((each) => JSON.stringify(each));
    const written = [...changed.objects, JSON.parse(changed.fleet) as unknown];
    const floor = jsonFloor([fleet, changed.fleet, ...texts], written);
    const parameters = ['plan', base, head, '--apps', 'dist', '--fleet', 'fleet.json', '--by', 'env,region'];
    const plan = await processCost(process.execPath, [fleetwright, ...parameters, '--timings']);
    process.stdout.write(row(clusters, objects.length, 'plan', plan, floor));
    if (options.has('--timings')) process.stdout.write(plan.err.slice(plan.err.indexOf('timings\n')));
    if (kustomize === undefined) continue;
    const build = await processCost(kustomize, ['build', path.join(base, 'dist/example')]);
    process.stdout.write(row(clusters, objects.length, 'kustomize build', build, floor, plan));
  }
} finally {
  await rm(folder, { recursive: true });
}

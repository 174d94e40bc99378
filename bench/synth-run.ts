// One process of bench/synth.ts: compiles the same construct tree with Fleetwright and with cdk8s, in turn, and prints the processor
// time of each run in milliseconds, as JSON.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { YamlOutputType } from 'cdk8s';
import { writeFolder } from '../src/workspace/output/output-folder.ts';
import { hasErrors } from '../src/compiler/model/diagnostic.ts';
import { emit } from '../src/compiler/emit/emit.ts';
import { resolutionDocument } from '../src/compiler/emit/resolution.ts';
import { goJson } from '../src/base/json/go-json.ts';
import { hubObjects } from '../src/compiler/hub-objects.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import { loadConstructs } from '../src/compiler/load/constructs.ts';
import { load } from '../src/compiler/load/load.ts';
import { resolve, type Resolution } from '../src/compiler/resolve.ts';
import { collect } from '../constructs/collect.ts';
import { exampleApp, exampleFleet } from './example-app.ts';
import { jsonFloor } from './floor.ts';

const addOns = 20;
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const now = Date.parse('2026-06-01T00:00:00Z');

/** The compared programs. `First` writes into an empty folder, `Again` over the same output. */
export type Step =
  'resolve' | 'writeFirst' | 'cdk8sFirst' | 'synthFirst' | 'writeAgain' | 'cdk8sAgain' | 'synthAgain';

/** What one process prints: the processor time of each step in milliseconds, per run. */
export interface SynthRuns {
  readonly objects: number;
  /** JSON.parse of the fleet and JSON.stringify of the objects. */
  readonly floor: number;
  readonly runs: readonly Readonly<Record<Step, number>>[];
}

async function processorTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function resolved(clusters: number, fleet: string): Resolution {
  const app = loadConstructs(collect(exampleApp(clusters, addOns)).objects);
  const snapshot = load([{ file: 'fleet.json', text: fleet, source: 'fleet' }]);
  const { value, diagnostics } = resolve([...app.value, ...snapshot.value], { now, hub: target.hub });
  if (value === undefined || hasErrors(diagnostics))
    throw new Error(`the example is wrong: ${JSON.stringify(diagnostics[0])}`);
  return value;
}

function emitted({ inventory }: Resolution) {
  return inventory.objects.filter(({ source }) => source === 'app').map(({ object }) => object);
}

/** Everything that `synth` does with an app. */
async function synth(clusters: number, fleet: string, folder: string): Promise<void> {
  const resolution = resolved(clusters, fleet);
  await writeFolder(folder, emit(emitted(resolution), resolutionDocument(resolution), 'argocd'));
}

/** Only what cdk8s does: creates the constructs, renders them and writes a file per object. */
async function renderAndWrite(clusters: number, folder: string): Promise<void> {
  const objects = collect(exampleApp(clusters, addOns)).objects.map(({ object }) => object);
  await writeFolder(folder, emit(objects, {}, 'argocd'));
}

function cdk8sSynth(clusters: number, outdir: string): void {
  const app = exampleApp(clusters, addOns, { outdir });
  // Its file names contain no namespace, so it writes fewer files than there are objects.
  Object.assign(app, { yamlOutputType: YamlOutputType.FILE_PER_RESOURCE });
  app.synth();
}

/** One run of each, in turn, so that a slow moment of the machine is not one side's alone. */
async function measure(clusters: number, fleet: string): Promise<SynthRuns['runs'][number]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
  const [written, theirs, ours] = ['written', 'theirs', 'ours'].map((name) => path.join(folder, name));
  if (written === undefined || theirs === undefined || ours === undefined) throw new Error('no folders');
  try {
    return {
      writeFirst: await processorTime(() => renderAndWrite(clusters, written)),
      cdk8sFirst: await processorTime(() => cdk8sSynth(clusters, theirs)),
      synthFirst: await processorTime(() => synth(clusters, fleet, ours)),
      writeAgain: await processorTime(() => renderAndWrite(clusters, written)),
      cdk8sAgain: await processorTime(() => cdk8sSynth(clusters, theirs)),
      synthAgain: await processorTime(() => synth(clusters, fleet, ours)),
      resolve: await processorTime(() => {
        for (const object of hubObjects(resolved(clusters, fleet), target)) goJson(object);
      }),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [clusters = 10, repetitions = 5] = process.argv.slice(2).map(Number);
const fleet = exampleFleet(clusters);
const runs: SynthRuns['runs'][number][] = [];
for (let run = 0; run < repetitions; run++) runs.push(await measure(clusters, fleet));
const objects = emitted(resolved(clusters, fleet));
const answer: SynthRuns = { objects: objects.length, floor: jsonFloor([fleet], objects), runs };
process.stdout.write(JSON.stringify(answer));

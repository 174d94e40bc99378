// Measures synth and resolve at 10, 100 and 1,000 clusters with 20 add-ons, compared with cdk8s's own App.synth() of
// the same construct tree. Run with: node --import tsx bench/synth.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { YamlOutputType } from 'cdk8s';
import { writeFolder } from '../workspace/output-folder.ts';
import { hasErrors } from '../compiler/diagnostic.ts';
import { emit } from '../compiler/emit/emit.ts';
import { resolutionDocument } from '../compiler/emit/resolution.ts';
import { goJson } from '../kubernetes/go/json.ts';
import { hubObjects } from '../compiler/hub-objects.ts';
import { hubVersion } from '../ocm/hub-version.ts';
import { loadConstructs } from '../compiler/load/constructs.ts';
import { load } from '../compiler/load/load.ts';
import { resolve, type Resolution } from '../compiler/resolve.ts';
import { collect } from '../constructs/collect.ts';
import { exampleApp, exampleFleet } from './example-app.ts';
import { byFloor, jsonFloor } from './floor.ts';

const addOns = 20;
const sizes = [10, 100, 1000];
const repetitions = 5;
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const now = Date.parse('2026-06-01T00:00:00Z');

/** Milliseconds of processor time. Writing into an empty folder is `first`, over the same output `again`. */
interface Figures {
  readonly resolve: number;
  readonly first: number;
  readonly again: number;
  readonly cdk8sFirst: number;
  readonly cdk8sAgain: number;
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

async function synth(clusters: number, fleet: string, folder: string): Promise<void> {
  const resolution = resolved(clusters, fleet);
  await writeFolder(folder, emit(emitted(resolution), resolutionDocument(resolution), 'argocd'));
}

function cdk8sSynth(clusters: number, outdir: string): void {
  const app = exampleApp(clusters, addOns, { outdir });
  // Its file names contain no namespace, so it writes fewer files than there are objects.
  Object.assign(app, { yamlOutputType: YamlOutputType.FILE_PER_RESOURCE });
  app.synth();
}

/** One run of each, in turn, so that a slow moment of the machine is not one side's alone. */
async function measure(clusters: number, fleet: string): Promise<Figures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
  const [ours, theirs] = [path.join(folder, 'ours'), path.join(folder, 'theirs')];
  try {
    return {
      resolve: await processorTime(() => {
        for (const object of hubObjects(resolved(clusters, fleet), target)) goJson(object);
      }),
      first: await processorTime(() => synth(clusters, fleet, ours)),
      cdk8sFirst: await processorTime(() => cdk8sSynth(clusters, theirs)),
      again: await processorTime(() => synth(clusters, fleet, ours)),
      cdk8sAgain: await processorTime(() => cdk8sSynth(clusters, theirs)),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function median(figures: readonly Figures[], name: keyof Figures): number {
  const sorted = figures.map((each) => each[name]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

const line = (cells: readonly string[]): string => `${cells.map((cell) => cell.padStart(11)).join(' ')}\n`;
const heads = [
  'resolve',
  'first',
  'again',
  'cdk8s first',
  'cdk8s again',
  'first ratio',
  'again ratio',
  'again/floor',
];
const lines = [line(['clusters', 'objects', ...heads])];
for (const clusters of sizes) {
  const fleet = exampleFleet(clusters);
  const objects = emitted(resolved(clusters, fleet));
  const floor = jsonFloor([fleet], objects);
  const figures: Figures[] = [];
  for (let run = 0; run < repetitions; run++) figures.push(await measure(clusters, fleet));
  const of = (name: keyof Figures): number => median(figures, name);
  const names = ['resolve', 'first', 'again', 'cdk8sFirst', 'cdk8sAgain'] as const;
  const ratios = [of('cdk8sFirst') / of('first'), of('cdk8sAgain') / of('again')];
  lines.push(
    line([
      String(clusters),
      String(objects.length),
      ...names.map((name) => of(name).toFixed(0)),
      ...ratios.map((ratio) => ratio.toFixed(2)),
      byFloor(of('again'), floor),
    ]),
  );
}
process.stdout.write(
  `${addOns} add-ons, processor time in ms, median of ${repetitions} runs in turn, Node ${process.version}; ratios are cdk8s / ours\n${lines.join('')}`,
);

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

const addOns = 20;
const sizes = [10, 100, 1000];
const repetitions = 3;
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const now = Date.parse('2026-06-01T00:00:00Z');

interface Figures {
  readonly clusters: number;
  readonly emitted: number;
  readonly held: number;
  readonly synth: number;
  readonly resolve: number;
  readonly cdk8s: number;
}

/** Returns the median of some runs, in milliseconds. */
async function timed(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < repetitions; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(repetitions / 2)] ?? NaN;
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

async function measure(clusters: number, folder: string): Promise<Figures> {
  const fleet = exampleFleet(clusters);
  let held = 0;
  const resolveTime = await timed(() => {
    held = 0;
    for (const object of hubObjects(resolved(clusters, fleet), target))
      held += goJson(object).length > 0 ? 1 : 0;
  });
  const synthTime = await timed(async () => {
    const resolution = resolved(clusters, fleet);
    await writeFolder(
      path.join(folder, 'ours'),
      emit(emitted(resolution), resolutionDocument(resolution), 'argocd'),
    );
  });
  const cdk8sTime = await timed(() => {
    const app = exampleApp(clusters, addOns, { outdir: path.join(folder, 'theirs') });
    // Its file names contain no namespace, so it writes fewer files than there are objects.
    Object.assign(app, { yamlOutputType: YamlOutputType.FILE_PER_RESOURCE });
    app.synth();
  });
  return {
    clusters,
    emitted: emitted(resolved(clusters, fleet)).length,
    held,
    synth: synthTime,
    resolve: resolveTime,
    cdk8s: cdk8sTime,
  };
}

const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  await measure(10, folder);
  const rows: Figures[] = [];
  for (const clusters of sizes) rows.push(await measure(clusters, folder));
  const growth = (row: number, pick: (figures: Figures) => number): string => {
    const [here, before] = [rows[row], rows[row - 1]];
    return here === undefined || before === undefined ? '' : `x${(pick(here) / pick(before)).toFixed(1)}`;
  };
  const line = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(11)).join(' ');
  const lines = [
    line([
      'clusters',
      'emitted',
      'held',
      'synth ms',
      'growth',
      'resolve ms',
      'growth',
      'cdk8s ms',
      'growth',
      'cdk8s/ours',
    ]),
  ];
  for (const [index, row] of rows.entries()) {
    lines.push(
      line([
        String(row.clusters),
        String(row.emitted),
        String(row.held),
        row.synth.toFixed(0),
        growth(index, ({ synth }) => synth),
        row.resolve.toFixed(0),
        growth(index, ({ resolve }) => resolve),
        row.cdk8s.toFixed(0),
        growth(index, ({ cdk8s }) => cdk8s),
        (row.cdk8s / row.synth).toFixed(2),
      ]),
    );
  }
  process.stdout.write(
    `${addOns} add-ons, median of ${repetitions} runs, Node ${process.version}\n${lines.join('\n')}\n`,
  );
} finally {
  await rm(folder, { recursive: true });
}

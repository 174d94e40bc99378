// Measures what it costs to render large public charts for many clusters, beside Helm's engine in Go. The user brings the folders; nothing
// of the charts is in this repository. Each chart is measured in a process of each language. It is loaded once, and rendered for each
// cluster to objects, as an agent of addon-framework does. Times are CPU seconds, without the loading; memory is that of the process.
// `equal` has the same values on all clusters. With `renamed`, the name of the release is different on each cluster, which is in the
// labels of nearly all objects.
//
//   node --import tsx bench/public-charts.ts [--charts 10] [--clusters 20] [--values FILE] FOLDER…
//
// A chart that needs values, such as a password, needs a values file.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { clusterCapabilities } from '../src/compiler/render/sources/chart-capabilities.ts';
import { loadChart, renderChart, type Chart } from '../src/engines/charts/index.ts';
import { corpusCharts, type CorpusChart } from '../test/charts/corpus.ts';
import { askGoProgram, buildProgram, type BenchAnswer } from '../test/charts/go-releases.ts';

const kubeVersion = 'v1.34.2';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    charts: { type: 'string', default: '10' },
    clusters: { type: 'string', default: '20' },
    values: { type: 'string' },
    /** The path of the chart that this process measures. */
    chart: { type: 'string' },
    renamed: { type: 'boolean', default: false },
  },
});
const clusters = Number(options.clusters);
const valuesText = options.values === undefined ? '' : readFileSync(options.values, 'utf8');
const values = (parse(valuesText) ?? {}) as Readonly<Record<string, unknown>>;
if (options.chart === undefined) await measureAll();
else process.stdout.write(JSON.stringify(measured(onlyChart(options.chart))));

/** What the renderings of a chart cost in this process. */
interface Measured {
  /** Of the first cluster, with the parsing of the templates. */
  readonly firstSeconds: number;
  readonly seconds: number;
  readonly peakMemory: number;
  readonly objects: number;
}

async function measureAll(): Promise<void> {
  buildProgram();
  const largest = corpusCharts(folders)
    .map((chart) => ({ chart, characters: charactersOf(chart) }))
    .toSorted((a, b) => b.characters - a.characters)
    .slice(0, Number(options.charts));
  const heads = [
    'chart',
    'objects',
    'MB',
    'values',
    'first',
    'ours',
    'Go',
    'ours by Go',
    'memory',
    "Go's memory",
  ];
  process.stdout.write(`| ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length)}\n`);
  for (const { chart, characters } of largest)
    for (const isRenamed of [false, true]) {
      const go = await goCost(chart, isRenamed);
      const ours = ourCost(chart, isRenamed);
      const cells = [
        chart.name.replace(/^.*\//, ''),
        ours.objects,
        (characters / 1e6).toFixed(1),
        isRenamed ? 'renamed' : 'equal',
        milliseconds(ours.firstSeconds),
        milliseconds(ours.seconds / clusters),
        milliseconds(go.seconds / clusters),
        `${(ours.seconds / go.seconds).toFixed(2)} ×`,
        megabytes(ours.peakMemory),
        megabytes(go.peakMemory),
      ];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(1)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function onlyChart(name: string): CorpusChart {
  const chart = corpusCharts(folders).find((each) => each.name === name);
  if (chart === undefined) throw new Error(`${name} is no chart of the folders`);
  return chart;
}

/** Returns 0 for a chart that does not render. */
function charactersOf({ files }: CorpusChart): number {
  const { chart } = loadChart(files, { rules: 'helm' });
  if (chart === undefined) return 0;
  return rendered(chart, 'release').reduce((sum, { text }) => sum + text.length, 0);
}

function rendered(chart: Chart, name: string): ReturnType<typeof renderChart>['manifests'] {
  return renderChart(chart, {
    values,
    release: { name, namespace: 'agents', revision: 1, isInstall: true },
    capabilities: clusterCapabilities(kubeVersion, { apiVersions: [] }),
  }).manifests;
}

function measured({ name, files }: CorpusChart): Measured {
  const { chart } = loadChart(files, { rules: 'helm' });
  if (chart === undefined) throw new Error(`${name} does not load`);
  const start = process.cpuUsage();
  const objects = rendered(chart, 'release').length;
  const firstSeconds = secondsSince(start);
  const warm = process.cpuUsage();
  for (const release of releases(options.renamed)) rendered(chart, release);
  const seconds = secondsSince(warm);
  return { firstSeconds, seconds, peakMemory: process.resourceUsage().maxRSS * 1024, objects };
}

function releases(isRenamed: boolean): string[] {
  return Array.from({ length: clusters }, (_, index) => (isRenamed ? `release${String(index)}` : 'release'));
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function ourCost({ name }: CorpusChart, isRenamed: boolean): Measured {
  const parameters = [
    '--chart',
    name,
    '--clusters',
    String(clusters),
    ...(isRenamed ? ['--renamed'] : []),
    ...(options.values === undefined ? [] : ['--values', options.values]),
  ];
  const out = execFileSync(
    process.execPath,
    ['--import', 'tsx', import.meta.filename, ...parameters, ...folders],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return JSON.parse(out) as Measured;
}

async function goCost({ name, files }: CorpusChart, isRenamed: boolean): Promise<BenchAnswer> {
  const [answer] = await askGoProgram([
    {
      bench: {
        files: Object.fromEntries(
          Array.from(files, ([file, bytes]) => [file, Buffer.from(bytes).toString('base64')]),
        ),
        values: valuesText,
        release: '',
        namespace: 'agents',
        kubeVersion,
        releases: releases(isRenamed),
      },
    },
  ]);
  if (answer?.bench === undefined) throw new Error(`${name}: ${answer?.error ?? 'no answer'}`);
  return answer.bench;
}

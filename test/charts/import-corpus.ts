/**
 * Imports public charts as a user does: `npx tsx test/charts/import-corpus.ts CHART…`. The user brings the charts: archives, folders of
 * charts, and folders that contain them. In a new repository, each chart is imported with its default values, compiled and validated with
 * the built command.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadChart } from '../../src/engines/charts/index.ts';
import { packChart } from '../../src/workspace/charts/pack-chart.ts';
import { linkDependencies, root, runProgram } from '../linked-repository.ts';
import { corpusCharts } from './corpus.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'string' },
    report: { type: 'string' },
    values: { type: 'string' },
    /** Folders with charts that others depend on. */
    dependencies: { type: 'string', multiple: true, default: [] },
  },
});
const given = [
  ...positionals,
  ...(options.list === undefined ? [] : readFileSync(options.list, 'utf8').split('\n').filter(Boolean)),
];
if (given.length === 0) {
  process.stderr.write(
    'usage: npx tsx test/charts/import-corpus.ts [--list FILE] [--dependencies FOLDER]… [--values FILE] [--report FILE] CHART…\n',
  );
  process.exit(2);
}

/** What a user gets from a chart at its defaults. */
type Outcome = 'delivered' | 'value to set' | 'other';

interface Walked {
  readonly chart: string;
  readonly outcome: Outcome;
  /** Of the finding that stops the chart. */
  readonly code: string;
  /** The number of objects on each cluster, or the message and the hint. */
  readonly detail: string;
  /** The number of Secrets and other objects that are not delivered, because they are random. */
  readonly random: number;
}

/** A chart as a user downloads it. */
interface Downloaded {
  readonly name: string;
  readonly version: string;
  readonly archive: Uint8Array;
}

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-import-')));
const command = path.join(root, 'build/cli/main.js');
const walked: Walked[] = [];
try {
  required(fleetwright('init', '.', '--ci', 'none', '--gitops', 'none'));
  linkDependencies(folder);
  rmSync(path.join(folder, 'apps/hello'), { recursive: true });
  const charts = downloads();
  for (const [index, chart] of charts.entries()) {
    const result = walk(chart, path.join(folder, 'chart.tgz'));
    walked.push(result);
    process.stdout.write(row(result));
    if (options.report !== undefined) appendFileSync(options.report, `${JSON.stringify(result)}\n`);
    process.stderr.write(`\r${index + 1} of ${charts.length} charts`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.stderr.write('\n');
process.stdout.write(
  `delivered without random objects: ${walked.filter(({ random }) => random > 0).length}\n`,
);
for (const outcome of ['delivered', 'value to set', 'other'] as const)
  process.stdout.write(`${outcome}: ${walked.filter((each) => each.outcome === outcome).length}\n`);

/** Returns the charts in the order in which they were named. The dependencies that a folder does not have come from the other folders. */
function downloads(): Downloaded[] {
  const folders = given.filter((each) => !isArchive(each));
  const found = corpusCharts([...folders, ...options.dependencies]).map(({ name, files }) => ({
    place: path.resolve(name),
    archive: packChart(files),
  }));
  return given.flatMap((each) => {
    if (isArchive(each)) return [described(readFileSync(each))];
    const place = path.resolve(each);
    return found
      .filter((chart) => chart.place === place || chart.place.startsWith(`${place}${path.sep}`))
      .map(({ archive }) => described(archive));
  });
}

function isArchive(name: string): boolean {
  return /\.(?:tgz|tar\.gz)$/.test(name);
}

function described(archive: Uint8Array): Downloaded {
  const { chart, faults } = loadChart(archive, { rules: 'helm' });
  if (chart === undefined) throw new Error(faults[0]?.message);
  return { name: chart.name, version: chart.version, archive };
}

/** Imports a chart, compiles it and validates what the hub gets. */
function walk({ name, version, archive }: Downloaded, file: string): Walked {
  writeFileSync(file, archive);
  const chart = `${name} ${version}`;
  const values = options.values === undefined ? [] : ['--values', path.resolve(options.values)];
  for (const app of ['apps', 'dist']) rmSync(path.join(folder, app, name), { recursive: true, force: true });
  const imported = fleetwright('import', file, '--as-template', name, ...values);
  if (imported.code !== 0) return failure(chart, imported);
  const compiled = fleetwright('synth', name);
  if (compiled.code !== 0) return failure(chart, compiled);
  const validated = fleetwright('validate', path.join('dist', name));
  if (validated.code !== 0) return failure(chart, validated);
  for (const app of ['apps', 'dist']) rmSync(path.join(folder, app, name), { recursive: true, force: true });
  const objects = /: ([\d,]+) objects? each/.exec(imported.out)?.[1] ?? '';
  const isOfHub = /FW9109/.test(imported.err);
  return {
    chart,
    outcome: 'delivered',
    code: isOfHub ? 'FW9109' : '',
    detail: isOfHub ? 'objects of the hub' : objects,
    random: randomObjects(imported.err),
  };
}

function randomObjects(text: string): number {
  const [, one, many = '0'] = /: (?:(an object) is|(\d+) objects are) not delivered/.exec(text) ?? [];
  return one === undefined ? Number(many) : 1;
}

type Ended = ReturnType<typeof runProgram>;

function fleetwright(...parameters: readonly string[]): Ended {
  return runProgram(folder, process.execPath, [command, ...parameters], { NO_COLOR: '1' });
}

function required({ code, err }: Ended): void {
  if (code !== 0) throw new Error(err);
}

function failure(chart: string, { out, err }: Ended): Walked {
  const text = `${err}\n${out}`;
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^error FW\d{4}/.test(line));
  const code = /FW\d{4}/.exec(lines[at] ?? '')?.[0] ?? '';
  const hint = lines.slice(at + 1).find((line) => /^\s*\W*\s*hint\b/.test(line)) ?? '';
  return {
    chart,
    outcome: namesValue(code, text) ? 'value to set' : 'other',
    code,
    detail: `${(lines[at] ?? text.trim()).slice(0, 900)}\n${hint.trim().slice(0, 900)}`,
    random: 0,
  };
}

/** Whether a message names a value: ours for a function that is not supported, and those of `required`, `fail` and of a schema. */
function namesValue(code: string, text: string): boolean {
  if (code === 'FW6028') return /\bset \S+.* in `values`/.test(text);
  if (code === 'FW6027') return text.includes('execution error at');
  return code === 'FW6025' || code === 'FW6026';
}

function row({ chart, outcome, code, detail, random }: Walked): string {
  return `${[chart, outcome, code, detail.replaceAll('\n', ' '), random].join(' | ')}\n`;
}

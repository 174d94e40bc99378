import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { IgnoreRules, loadChart, newestVersion } from '../../src/engines/charts/index.ts';

/** A chart of the folders. */
export interface CorpusChart {
  /** The path of its folder. */
  readonly name: string;
  /** The bytes of each file by its path, with the charts that it depends on. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The values to render it with: none, and those of the files in `ci/`. */
  readonly values: readonly { readonly name: string; readonly text: string }[];
}

interface FoundChart {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly isLibrary: boolean;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Returns the charts below folders that are not libraries, sorted. Charts inside of other charts are parts of them. */
export function corpusCharts(folders: readonly string[]): CorpusChart[] {
  const found = folders.flatMap((folder) => chartsBelow(path.resolve(folder)));
  return found
    .filter(({ isLibrary }) => !isLibrary)
    .map((chart) => ({
      name: path.relative(process.cwd(), chart.folder),
      files: withDependencies(chart, found, 0),
      values: [{ name: 'its defaults', text: '' }, ...valuesIn(chart.folder)],
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function chartsBelow(folder: string): FoundChart[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === 'Chart.yaml')) {
    const chart = readChart(folder);
    return chart === undefined ? [] : [chart];
  }
  return entries
    .filter((entry) => entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name))
    .flatMap(({ name }) => chartsBelow(path.join(folder, name)));
}

/** Undefined if Helm cannot read its description either. */
function readChart(folder: string): FoundChart | undefined {
  try {
    const files = filesOf(folder);
    const { chart } = loadChart(files, { rules: 'helm' });
    if (chart === undefined) return undefined;
    const { name, version, isLibrary } = chart;
    return { folder, name, version, isLibrary, files };
  } catch {
    return undefined;
  }
}

function filesOf(folder: string): Map<string, Uint8Array> {
  const rules = new IgnoreRules(textOf(path.join(folder, '.helmignore')));
  const files = new Map<string, Uint8Array>();
  const read = (below: string): void => {
    for (const name of readdirSync(path.join(folder, below)).toSorted()) {
      const relative = below === '' ? name : `${below}/${name}`;
      const place = path.join(folder, relative);
      if (rules.excludes(relative)) continue;
      const stat = statSync(place, { throwIfNoEntry: false });
      if (stat?.isDirectory() === true && realpathSync(place).length >= folder.length) read(relative);
      else if (stat?.isFile() === true) files.set(relative, readFileSync(place));
    }
  };
  read('');
  return files;
}

function textOf(file: string): string {
  return statSync(file, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(file, 'utf8');
}

interface Dependency {
  readonly name?: unknown;
  readonly version?: unknown;
}

/** Adds the dependencies that a chart does not have, of the newest version of the corpus that it allows, otherwise of any. */
function withDependencies(
  chart: FoundChart,
  corpus: readonly FoundChart[],
  depth: number,
): ReadonlyMap<string, Uint8Array> {
  if (depth > 4) return chart.files;
  const files = new Map(chart.files);
  for (const { name, version } of dependenciesOf(chart)) {
    if (typeof name !== 'string') continue;
    if ([...files.keys()].some((file) => isOfDependency(file, name))) continue;
    const candidates = corpus.filter((each) => each.name === name);
    const chosen = candidates.find((each) => each.version === bestOf(candidates, version)) ?? candidates[0];
    if (chosen === undefined) continue;
    for (const [file, bytes] of withDependencies(chosen, corpus, depth + 1))
      files.set(`charts/${name}/${file}`, bytes);
  }
  return files;
}

function isOfDependency(file: string, name: string): boolean {
  return file.startsWith(`charts/${name}/`) || new RegExp(`^charts/${name}-[v\\d].*\\.tgz$`).test(file);
}

function bestOf(candidates: readonly FoundChart[], constraint: unknown): string | undefined {
  try {
    return newestVersion(
      candidates.map(({ version }) => version),
      typeof constraint === 'string' ? constraint : '*',
    );
  } catch {
    return undefined;
  }
}

function dependenciesOf({ files }: FoundChart): readonly Dependency[] {
  for (const name of ['Chart.yaml', 'requirements.yaml']) {
    const read = parsed(Buffer.from(files.get(name) ?? []).toString('utf8'));
    if (Array.isArray(read?.dependencies)) return read.dependencies as readonly Dependency[];
  }
  return [];
}

function parsed(text: string): { readonly dependencies?: unknown } | undefined {
  try {
    return parse(text) as { readonly dependencies?: unknown } | undefined;
  } catch {
    return undefined;
  }
}

function valuesIn(folder: string): CorpusChart['values'] {
  const ci = path.join(folder, 'ci');
  if (statSync(ci, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(ci)
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
    .map((name) => ({ name: `ci/${name}`, text: readFileSync(path.join(ci, name), 'utf8') }));
}

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { addToGroup } from '../../base/collections/groups.ts';
import { isLockCurrent, missingCharts, type MissingChart } from '../../engines/charts/index.ts';
import { fieldsOf, text } from '../../client/fields.ts';
import { parseYaml } from '../inputs/bounded-yaml.ts';
import { UserError } from '../user-error.ts';
import { chartFolder, repositoryAround } from './chart-folder.ts';
import { parseSource, type RemoteSource } from './chart-source.ts';
import { fetchChart, type FetchOptions } from './fetch-chart.ts';

/** A chart of the folder `charts/` that was added. */
export interface AddedChart {
  readonly name: string;
  /** The address of exactly this version, or the path of its folder. */
  readonly source: string;
}

/** The folder of a chart with the charts that it requires. */
export interface CompletedChart {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly added: readonly AddedChart[];
}

/** Where a chart is. */
interface ChartPlace {
  /** The folder as the user named it, for messages. */
  readonly given: string;
  /** Its absolute path. */
  readonly folder: string;
}

const byHand = 'run `helm dependency build` in its folder, and import it again';

/**
 * Adds the charts that Chart.yaml requires and that are not in the folder `charts/`, as `helm dependency build`: in the versions of
 * Chart.lock, or the newest ones that the constraints of Chart.yaml allow. A dependency without an address stays missing, which is
 * reported when the chart is rendered.
 *
 * @throws UserError, DiagnosedError if a chart cannot be downloaded or read
 */
export async function withDependencies(
  files: ReadonlyMap<string, Uint8Array>,
  { given, folder }: ChartPlace,
  options: FetchOptions,
): Promise<CompletedChart> {
  const missing = missingCharts(files);
  if (missing.length === 0) return { files, added: [] };
  const locked = lockedCharts(given, files);
  const complete = new Map(files);
  const added: AddedChart[] = [];
  for (const dependency of missing) {
    const { name, version, repository } = locked.get(dependency.name)?.shift() ?? dependency;
    if (repository === '') continue;
    // The name becomes part of a path.
    if (!/^\w[\w.-]*$/.test(name))
      throw new UserError(
        `the chart ${given} requires ${JSON.stringify(name)}, which is not the name of a chart`,
      );
    // A chart can require several versions of one chart.
    const number = added.filter((each) => each.name === name).length;
    const target = number === 0 ? `charts/${name}` : `charts/${name}-${number + 1}`;
    if (/^file:/i.test(repository)) {
      const place = repository.replace(/^file:\/\//i, '');
      for (const [file, bytes] of await localChart(name, place, { given, folder }))
        complete.set(`${target}/${file}`, bytes);
      added.push({ name, source: place });
      continue;
    }
    const fetched = await fetchDependency({ name, version, repository }, given, options);
    complete.set(`${target}.tgz`, fetched.archive);
    added.push({ name, source: fetched.source });
  }
  return { files: complete, added };
}

/** Reads a chart in another folder of the same repository: a chart of somebody else must not bring other files of the user. */
async function localChart(
  name: string,
  place: string,
  { given, folder }: ChartPlace,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const refused = (problem: string): UserError =>
    new UserError(`the chart ${given} requires ${name}, and its folder ${place} ${problem}`, byHand);
  const [repository, target] = await Promise.all(
    [repositoryAround(folder), path.resolve(folder, place)].map(
      async (each) => await realpath(each).catch(() => undefined),
    ),
  );
  if (repository === undefined || target === undefined) throw refused('does not exist');
  const inside = path.relative(repository, target);
  if (inside.startsWith('..') || path.isAbsolute(inside))
    throw refused('is not in the repository of the chart');
  return await chartFolder(`${given}/${place}`, target);
}

async function fetchDependency(
  dependency: MissingChart,
  given: string,
  options: FetchOptions,
): Promise<Awaited<ReturnType<typeof fetchChart>>> {
  try {
    return await fetchChart(sourceOf(dependency), options);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `the chart ${given} requires ${dependency.name}, which cannot be downloaded: ${error.message}`,
      error.hint ?? byHand,
    );
  }
}

/** @throws UserError for an address that only Helm knows, such as `@stable` */
function sourceOf({ name, version, repository }: MissingChart): RemoteSource {
  if (/^oci:/i.test(repository)) return parseSource(`${repository.replace(/\/+$/, '')}/${name}`, { version });
  if (!/^https?:/i.test(repository))
    throw new UserError(`its repository ${JSON.stringify(repository)} is not an address`, byHand);
  return parseSource(repository, { chart: name, version });
}

/**
 * Returns the charts that Chart.lock names, by name and in order; those of requirements.lock for charts of apiVersion v1.
 *
 * @throws UserError if the file was made for other dependencies than those of Chart.yaml
 */
function lockedCharts(
  given: string,
  files: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, MissingChart[]> {
  const locked = new Map<string, MissingChart[]>();
  for (const file of ['requirements.lock', 'Chart.lock']) {
    const bytes = files.get(file);
    if (bytes === undefined) continue;
    const name = `${given}/${file}`;
    const content = Buffer.from(bytes).toString('utf8');
    const fields = fieldsOf(parseYaml(name, content, { syntaxError: `${name} is not valid YAML` }).toJS());
    const entries = fields?.['dependencies'];
    const charts = (Array.isArray(entries) ? entries.map(fieldsOf) : []).map((entry) => ({
      name: text(entry?.['name']) ?? '',
      version: text(entry?.['version']) ?? '',
      repository: text(entry?.['repository']) ?? '',
    }));
    if (!isLockCurrent(files, charts, text(fields?.['digest']) ?? ''))
      throw new UserError(
        `${name} was made for other dependencies than those of Chart.yaml`,
        'run `helm dependency update` in the folder of the chart, or remove the file to have the newest versions that Chart.yaml allows',
      );
    for (const chart of charts) if (chart.version !== '') addToGroup(locked, chart.name, chart);
  }
  return locked;
}

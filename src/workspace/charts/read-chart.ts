import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { largestArchive } from '../../../constructs/source-files.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { UserError } from '../user-error.ts';
import type { Host } from '../host.ts';
import { isRemoteChart, parseSource, type ChartSelection } from './chart-source.ts';
import { type AddedChart, type CompletedChart, withDependencies } from './chart-dependencies.ts';
import { fetchChart, type FetchOptions } from './fetch-chart.ts';
import { packChart } from './pack-chart.ts';
import { chartFolder } from './chart-folder.ts';

/** A chart that was read, and how an app keeps it. */
export interface ReadChart {
  /** The bytes of each file by its path, for a folder that the app copies; otherwise the bytes of the archive. */
  readonly content: ReadonlyMap<string, Uint8Array> | Uint8Array;
  /** The address of the chart, or the path of its folder or file. */
  readonly source: string;
  /** The digest of the manifest in a registry. */
  readonly manifestDigest?: string;
  /** The charts that the folder did not contain and that were added to it. @default - none */
  readonly added?: readonly AddedChart[];
}

/** Which chart to read, besides its path or address. */
export interface ChartOptions extends ChartSelection {
  /** Whether servers may be called without TLS. @default false */
  readonly plainHttp?: boolean;
}

/** The largest archive that is read. */
const mostArchive = 20 * 2 ** 20;
/** Folders whose texts have more characters become archives: the hub stores the chart in each revision of the AddOnTemplate. */
const mostCopied = 200_000;

/** Returns whether a path is a Helm chart: an archive, a folder with a Chart.yaml, or the address of a chart. */
export async function isChart(given: string, cwd: string): Promise<boolean> {
  if (isRemoteChart(given) || /\.(?:tgz|tar\.gz)$/.test(given)) return true;
  return await stat(path.join(path.resolve(cwd, given), 'Chart.yaml')).then(
    (found) => found.isFile(),
    () => false,
  );
}

/**
 * Reads a chart: downloads it, or reads an archive or a folder. Of a folder, the files that `.helmignore` names are left out, and charts
 * that it requires and does not contain are added; a large one becomes an archive.
 *
 * @throws UserError, DiagnosedError if it cannot be read, is too large for the hub, or the options do not match it.
 */
export async function readChart(given: string, options: ChartOptions, host: Host): Promise<ReadChart> {
  const chart = await readAnywhere(given, options, host);
  if (chart.content instanceof Uint8Array && chart.content.length > largestArchive)
    throw new DiagnosedError(
      diagnostic('FW9193', {
        message: `the archive of ${given} has ${chart.content.length} bytes, and an AddOnTemplate cannot have more than ${largestArchive}: the hub stores objects of at most 1.5 MiB`,
        location: { file: given, line: 1, column: 1 },
        hint: 'copy the chart to a folder, list the files that no template needs in its .helmignore, and import the folder',
      }),
    );
  return chart;
}

async function readAnywhere(given: string, options: ChartOptions, host: Host): Promise<ReadChart> {
  if (isRemoteChart(given)) {
    const { plainHttp = false } = options;
    const source = parseSource(given, options);
    host.progress?.('download …');
    try {
      const { archive, ...origin } = await fetchChart(source, { env: host.env ?? {}, plainHttp });
      return { content: archive, ...origin };
    } finally {
      host.progress?.('');
    }
  }
  if (options.chart !== undefined || options.version !== undefined)
    throw new UserError(
      `--chart and --version choose a chart of a repository, and ${given} is a chart`,
      'omit them, or give the URL of the repository',
    );
  const { content, added } = await readLocal(given, options, host);
  // The path on another machine means nothing, and may contain names.
  const source = path.isAbsolute(given) ? path.basename(given) : given.replaceAll('\\', '/');
  return { content, source, ...(added.length > 0 && { added }) };
}

async function readLocal(
  given: string,
  { plainHttp = false }: ChartOptions,
  host: Host,
): Promise<Required<Pick<ReadChart, 'content' | 'added'>>> {
  const place = path.resolve(host.cwd, given);
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) throw new UserError(`${given}: no such file or folder`);
  if (found.isDirectory()) {
    const { files, added } = await complete(given, place, { env: host.env ?? {}, plainHttp }, host);
    const size = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    return { content: size > mostCopied ? packChart(files) : files, added };
  }
  if (found.size > mostArchive)
    throw new UserError(`${given} is larger than ${Math.floor(mostArchive / 2 ** 20)} MiB`);
  try {
    return { content: await readFile(place), added: [] };
  } catch (error) {
    const message = error instanceof Error ? error.message.replaceAll(place, given) : String(error);
    throw new UserError(message.includes(given) ? message : `${given}: ${message}`);
  }
}

async function complete(
  given: string,
  folder: string,
  options: FetchOptions,
  host: Host,
): Promise<CompletedChart> {
  const files = await chartFolder(given, folder);
  host.progress?.('read dependencies …');
  try {
    return await withDependencies(files, { given: given.replace(/\/+$/, ''), folder }, options);
  } finally {
    host.progress?.('');
  }
}

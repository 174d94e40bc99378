import { newestVersion } from '../../engines/charts/index.ts';
import { UserError } from '../user-error.ts';
import { uncompressed } from './uncompressed.ts';
import {
  parseSource,
  registryAddress,
  type ArchiveSource,
  type RegistrySource,
  type RemoteSource,
  type RepositorySource,
} from './chart-source.ts';
import { httpGet, shown, type Environment, type GetOptions } from './http-get.ts';
import { digestOf, Registry } from './registry.ts';
import { chartInIndex } from './repository-index.ts';

/** A downloaded chart. */
export interface FetchedChart {
  /** The bytes of the `.tgz`. */
  readonly archive: Uint8Array;
  /** The address of exactly this version. */
  readonly source: string;
  /** The digest of the manifest in a registry. */
  readonly manifestDigest?: string;
}

/** The conditions of a download. */
export interface FetchOptions {
  readonly env: Environment;
  /** Whether servers may be called without TLS. @default false */
  readonly plainHttp?: boolean;
}

/** A chart is embedded in an object of the hub, so even this is too large for most. */
const mostArchive = 20 * 2 ** 20;
const mostIndex = 64 * 2 ** 20;
/** The whole download, in milliseconds. */
const longestDownload = 180_000;

/**
 * Downloads a chart. The number of bytes, the time and the redirects are bounded. The archive has the digest that the manifest or the
 * index names.
 *
 * @throws UserError if it cannot be downloaded, or is not the expected one
 */
export async function fetchChart(
  source: RemoteSource,
  { env, plainHttp = false }: FetchOptions,
): Promise<FetchedChart> {
  const limits = { env, plainHttp, signal: AbortSignal.timeout(longestDownload) };
  if (source.kind === 'registry') return await fromRegistry(source, limits);
  return source.kind === 'archive' ? await fromUrl(source, limits) : await fromRepository(source, limits);
}

type Limits = Pick<GetOptions, 'env' | 'signal' | 'plainHttp'>;

async function fromRegistry(source: RegistrySource, limits: Limits): Promise<FetchedChart> {
  const registry = new Registry(source, limits);
  const tag = source.digest === undefined ? (source.tag ?? (await tagOf(source, registry))) : source.tag;
  const manifest = await registry.manifest(source.digest ?? tag ?? '');
  const archive = await registry.archive(manifest, mostArchive);
  return {
    archive,
    source: registryAddress({ ...source, tag }),
    manifestDigest: manifest.digest,
  };
}

/** Returns the tag of a version. As in Helm, it has `_` instead of `+`, which a tag cannot have. */
async function tagOf(source: RegistrySource, registry: Registry): Promise<string> {
  const tags = await registry.tags();
  const version = chosen(
    registryAddress(source),
    tags.map((tag) => tag.replace('_', '+')),
    source.version,
  );
  return version.replace('+', '_');
}

async function fromUrl({ url }: ArchiveSource, limits: Limits): Promise<FetchedChart> {
  return { archive: await get(url, mostArchive, limits), source: shown(url) };
}

async function fromRepository(
  { url, chart, version }: RepositorySource,
  limits: Limits,
): Promise<FetchedChart> {
  const folder = new URL(url);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  const index = new URL('index.yaml', folder);
  const bytes = await get(index, mostIndex, limits);
  const content = uncompressed(shown(index), bytes, mostIndex);
  const entries = chartInIndex(shown(index), Buffer.from(content).toString('utf8'), chart);
  const wanted = chosen(
    `${shown(folder)} --chart ${chart}`,
    entries.map((entry) => entry.version),
    version,
  );
  const entry = entries.find((each) => each.version === wanted);
  const [address] = entry?.urls ?? [];
  if (entry === undefined || address === undefined)
    throw new UserError(`${shown(index)} has no address for version ${wanted} of ${chart}`);
  const fetched = await fromAddress(address, folder, limits);
  const digest = digestOf(fetched.archive);
  if (entry.digest !== undefined && digest !== `sha256:${entry.digest.toLowerCase()}`)
    throw new UserError(
      `${fetched.source} has the digest ${digest}, and ${shown(index)} expects sha256:${entry.digest}`,
      'the archive or the index was replaced: ask the publisher of the chart',
    );
  return fetched;
}

/** Downloads an archive from an address in an index, which is relative to the index, absolute, or in a registry. */
async function fromAddress(address: string, folder: URL, limits: Limits): Promise<FetchedChart> {
  if (!/^oci:/i.test(address) && !URL.canParse(address, folder.href))
    throw new UserError(`${shown(folder)}index.yaml: ${JSON.stringify(address)} is not a valid URL`);
  const source = /^oci:/i.test(address) ? parseSource(address) : undefined;
  return source?.kind === 'registry'
    ? await fromRegistry(source, limits)
    : await fromUrl({ kind: 'archive', url: new URL(address, folder) }, limits);
}

/** @throws UserError if no version satisfies what the user asked for */
function chosen(address: string, versions: readonly string[], wanted: string | undefined): string {
  let version: string | undefined;
  try {
    version = newestVersion(versions, wanted);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UserError(
      `--version cannot be ${JSON.stringify(wanted)}: ${error.message}`,
      'write a version such as 1.2.3, or a constraint such as ^1.2',
    );
  }
  if (version !== undefined) return version;
  const newest = newestVersion(versions, '>=0.0.0-0');
  throw new UserError(
    `${address}: no version${wanted === undefined ? ' that is not a pre-release' : ` satisfies ${wanted}`}`,
    newest === undefined ? undefined : `the newest version is ${newest}: --version ${newest}`,
  );
}

async function get(url: URL, most: number, limits: Limits): Promise<Uint8Array> {
  const { status, body } = await httpGet(url, { ...limits, most });
  if (status !== 200)
    throw new UserError(
      `${shown(url)}: the server answered ${status}`,
      status === 401 || status === 403
        ? 'download the archive with a program that can log in there, and import the file'
        : undefined,
    );
  return body;
}

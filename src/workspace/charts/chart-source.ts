import { UserError } from '../user-error.ts';

/** A chart in an OCI registry. */
export interface RegistrySource {
  readonly kind: 'registry';
  /** With the port, such as `ghcr.io`. */
  readonly host: string;
  /** Such as `stefanprodan/charts/podinfo`. */
  readonly repository: string;
  readonly tag: string | undefined;
  /** Of the manifest, such as `sha256:…`. */
  readonly digest: string | undefined;
  /** An exact version, or a constraint such as `^1.2`. It decides the tag. */
  readonly version: string | undefined;
}

/** The archive of a chart behind a URL. */
export interface ArchiveSource {
  readonly kind: 'archive';
  readonly url: URL;
}

/** A chart in a repository with an `index.yaml`. */
export interface RepositorySource {
  readonly kind: 'repository';
  readonly url: URL;
  readonly chart: string;
  /** An exact version, or a constraint such as `^1.2`. @default - the newest version that is not a pre-release */
  readonly version: string | undefined;
}

/** A chart that must be downloaded. */
export type RemoteSource = RegistrySource | ArchiveSource | RepositorySource;

/** The options of a command line that choose a chart of a repository. */
export interface ChartSelection {
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
}

const digestSyntax = /^sha256:[0-9a-f]{64}$/;
const tagSyntax = /^\w[\w.-]{0,127}$/;
const repositorySyntax =
  /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/;
const hostSyntax = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a path of a command line is the address of a chart elsewhere. */
export function isRemoteChart(given: string): boolean {
  return /^(?:oci|https?):\/\//i.test(given);
}

/**
 * Parses the address of a chart: `oci://HOST/REPOSITORY[:TAG][@DIGEST]`, the URL of an archive, or the URL of a repository with the
 * name of a chart.
 *
 * @throws UserError if it is not such an address, or the options do not match it
 */
export function parseSource(given: string, selection: ChartSelection = {}): RemoteSource {
  return /^oci:/i.test(given) ? registrySource(given, selection) : urlSource(given, selection);
}

function registrySource(given: string, { chart, version }: ChartSelection): RegistrySource {
  const [, host = '', path = ''] = /^oci:\/\/([^/]*)\/(.*)$/i.exec(given) ?? [];
  if (host.includes('@')) throw credentialsIn('oci://…');
  if (chart !== undefined)
    throw new UserError(
      `--chart is for repositories with an index.yaml, and ${given} is in a registry`,
      `append the name to the address: ${given.replace(/\/+$/, '')}/${chart}`,
    );
  const [name = '', ...digests] = path.split('@');
  const [, repository = '', tag] = /^(.*?)(?::([^/]*))?$/.exec(name) ?? [];
  const [digest] = digests;
  const isValid =
    hostSyntax.test(host) &&
    repositorySyntax.test(repository) &&
    (tag === undefined || tagSyntax.test(tag)) &&
    digests.length <= 1 &&
    (digest === undefined || digestSyntax.test(digest));
  if (!isValid)
    throw new UserError(
      `${given} is not the address of a chart in a registry`,
      'write it as oci://HOST/REPOSITORY:TAG or oci://HOST/REPOSITORY@sha256:DIGEST, in lower case',
    );
  if (version !== undefined && (tag !== undefined || digest !== undefined))
    throw new UserError(`${given} has a version already`, 'omit --version');
  return { kind: 'registry', host: host.toLowerCase(), repository, tag, digest, version };
}

function urlSource(given: string, { chart, version }: ChartSelection): ArchiveSource | RepositorySource {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) throw new UserError(`${given} is not a valid URL`);
  if (url.username !== '' || url.password !== '') throw credentialsIn(`${url.protocol}//${url.host}`);
  url.hash = '';
  if (/\.(?:tgz|tar\.gz)$/.test(url.pathname)) {
    if (chart !== undefined || version !== undefined)
      throw new UserError(
        `${url.href} is an archive, so it has one chart in one version`,
        'omit --chart and --version, or use the URL of the repository',
      );
    return { kind: 'archive', url };
  }
  if (chart === undefined)
    throw new UserError(
      `${url.href} is not the URL of a chart's archive (.tgz)`,
      'for a repository, name the chart: --chart NAME --version VERSION',
    );
  // A name becomes part of no path, but of messages and of the lock.
  if (!/^[\w.-]+$/.test(chart)) throw new UserError(`${JSON.stringify(chart)} is not the name of a chart`);
  return { kind: 'repository', url, chart, version };
}

function credentialsIn(address: string): UserError {
  return new UserError(
    `the address ${address} contains a user name or a password`,
    'omit them: the address is written to chart.lock. Log in with `helm registry login` or `docker login`',
  );
}

/** Returns the address of a chart in a registry, as users write it. */
export function registryAddress({ host, repository, tag, digest }: RegistrySource): string {
  return `oci://${host}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

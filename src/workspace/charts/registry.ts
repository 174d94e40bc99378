import { createHash } from 'node:crypto';
import { fieldsOf, text, texts, type Fields } from '../../client/fields.ts';
import { UserError } from '../user-error.ts';
import { registryAddress, type RegistrySource } from './chart-source.ts';
import { httpGet, isLocalHost, shown, type GetOptions, type HttpAnswer } from './http-get.ts';
import { registryCredential, type RegistryCredential } from './registry-credentials.ts';

/** The kinds of manifests that a chart can have. Helm pushes the first. */
const manifestTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
/** The kinds of the layer with the archive. Old versions of Helm pushed the second. */
const archiveTypes = new Set(['application/vnd.cncf.helm.chart.content.v1.tar+gzip', 'application/tar+gzip']);

const mostManifest = 4 * 2 ** 20;
/** Pages of tags, of which registries return 100 to 1,000 each. */
const mostPages = 200;

/** A manifest and its digest. */
export interface ChartManifest {
  readonly digest: string;
  readonly archive: { readonly digest: string; readonly size: number };
}

type Limits = Pick<GetOptions, 'env' | 'signal' | 'plainHttp'>;

/**
 * The client of one repository of a registry.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
export class Registry {
  readonly #source: RegistrySource;
  readonly #limits: Limits;
  readonly #base: URL;
  #authorization: string | undefined;

  constructor(source: RegistrySource, limits: Limits) {
    this.#source = source;
    this.#limits = limits;
    const host = source.host === 'docker.io' ? 'registry-1.docker.io' : source.host;
    const secure = new URL(`https://${host}/v2/${source.repository}/`);
    const isPlain = limits.plainHttp === true || isLocalHost(secure);
    this.#base = isPlain ? new URL(secure.href.replace(/^https:/, 'http:')) : secure;
  }

  /**
   * Returns the manifest of a chart.
   *
   * @param reference - a tag or a digest
   * @throws UserError if there is none, or it is that of something else
   */
  async manifest(reference: string): Promise<ChartManifest> {
    const { status, body, headers } = await this.#get(`manifests/${reference}`, mostManifest, {
      Accept: manifestTypes.join(', '),
    });
    const address = registryAddress(this.#source);
    if (status === 404) throw new UserError(`${address}: the registry has no such chart or version`);
    if (status !== 200) throw this.#refused(status, body);
    const digest = digestOf(body);
    if (reference.startsWith('sha256:') && digest !== reference)
      throw new UserError(`${address}: the registry sent a manifest with the digest ${digest}`);
    return { digest, archive: this.#archiveIn(body, headers['content-type']) };
  }

  /** Returns the archive of a chart. @throws UserError if it is not the one that the manifest names */
  async archive({ archive: { digest, size } }: ChartManifest, most: number): Promise<Uint8Array> {
    const address = registryAddress(this.#source);
    if (size > most)
      throw new UserError(`${address}: the archive is larger than ${Math.floor(most / 2 ** 20)} MiB`);
    const { status, body } = await this.#get(`blobs/${digest}`, most, {});
    if (status !== 200) throw this.#refused(status, body);
    if (digestOf(body) !== digest)
      throw new UserError(`${address}: the registry sent an archive with the digest ${digestOf(body)}`);
    return body;
  }

  /** Returns all tags. @throws UserError if the registry does not list them */
  async tags(): Promise<readonly string[]> {
    const tags: string[] = [];
    let next: string | undefined = 'tags/list';
    for (let page = 0; next !== undefined; page++) {
      if (page === mostPages)
        throw new UserError(
          `${registryAddress(this.#source)} has too many tags to choose a version`,
          'name the tag in the address',
        );
      const { status, body, headers }: HttpAnswer = await this.#get(next, mostManifest, {});
      if (status === 404)
        throw new UserError(`${registryAddress(this.#source)}: the registry has no such chart`);
      if (status !== 200) throw this.#refused(status, body);
      tags.push(...texts(this.#parsed(body)['tags']));
      next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(String(headers['link'] ?? ''))?.[1];
    }
    return tags;
  }

  async #get(target: string, most: number, headers: Record<string, string>): Promise<HttpAnswer> {
    const url = new URL(target, this.#base);
    // A link to the next page must not lead elsewhere: it would get the credentials.
    if (url.origin !== this.#base.origin)
      throw new UserError(`${shown(this.#base)}: the registry refers to ${url.origin}`);
    const ask = async (): Promise<HttpAnswer> =>
      await httpGet(url, {
        ...this.#limits,
        most,
        headers: {
          ...headers,
          ...(this.#authorization !== undefined && { Authorization: this.#authorization }),
        },
      });
    const first = await ask();
    if (first.status !== 401) return first;
    this.#authorization = await this.#login(first.headers['www-authenticate'] ?? '');
    return await ask();
  }

  /** Logs in as the registry asks, and returns the header. */
  async #login(challenge: string): Promise<string> {
    const credential = await registryCredential(this.#source.host, this.#limits.env);
    const [, scheme = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(challenge) ?? [];
    if (scheme.toLowerCase() === 'basic') {
      if (credential === undefined) throw this.#unauthorized(undefined);
      return basic(credential);
    }
    const parameters = new Map(
      Array.from(rest.matchAll(/(\w+)="([^"]*)"/g), ([, name = '', value = '']) => [name, value]),
    );
    const realm = parameters.get('realm') ?? '';
    if (scheme.toLowerCase() !== 'bearer' || !URL.canParse(realm))
      throw new UserError(`${shown(this.#base)}: the registry asks for an unknown login`);
    const service = parameters.get('service') ?? '';
    const scope = parameters.get('scope') ?? `repository:${this.#source.repository}:pull`;
    const { status, body } = await this.#token(new URL(realm), { service, scope }, credential);
    if (status === 401 || status === 403) throw this.#unauthorized(credential);
    if (status !== 200) throw this.#refused(status, body);
    const answer = this.#parsed(body);
    const token = text(answer['token']) ?? text(answer['access_token']);
    if (token === undefined) throw new UserError(`${shown(this.#base)}: the registry sent no token`);
    return `Bearer ${token}`;
  }

  /** @see https://distribution.github.io/distribution/spec/auth/token/ */
  async #token(
    realm: URL,
    { service, scope }: { readonly service: string; readonly scope: string },
    credential: RegistryCredential | undefined,
  ): Promise<HttpAnswer> {
    const limits = { ...this.#limits, most: mostManifest };
    if (credential?.identityToken !== undefined) {
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        service,
        scope,
        client_id: 'fleetwright',
        refresh_token: credential.identityToken,
      });
      return await httpGet(realm, { ...limits, form });
    }
    if (service !== '') realm.searchParams.set('service', service);
    realm.searchParams.set('scope', scope);
    return await httpGet(realm, {
      ...limits,
      ...(credential && { headers: { Authorization: basic(credential) } }),
    });
  }

  #archiveIn(body: Uint8Array, type: string | undefined): ChartManifest['archive'] {
    const address = registryAddress(this.#source);
    const layers = this.#parsed(body)['layers'];
    if (!Array.isArray(layers))
      throw new UserError(
        `${address} is not a chart: the registry sent ${type ?? 'a manifest of an unknown type'}`,
      );
    const found = layers.map(fieldsOf).find((layer) => archiveTypes.has(String(layer?.['mediaType'])));
    const { digest, size } = found ?? {};
    if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest) || typeof size !== 'number')
      throw new UserError(`${address} is not a chart: its manifest names no archive of a chart`);
    return { digest, size };
  }

  #parsed(body: Uint8Array): Fields {
    try {
      const answer = fieldsOf(JSON.parse(Buffer.from(body).toString('utf8')));
      if (answer !== undefined) return answer;
    } catch {
      // reported below
    }
    throw new UserError(`${shown(this.#base)}: the registry did not send JSON`);
  }

  #unauthorized(credential: RegistryCredential | undefined): UserError {
    const { host } = this.#source;
    return new UserError(
      `${registryAddress(this.#source)}: the registry ${credential === undefined ? 'has no such chart, or requires a login' : 'rejected the credentials'}`,
      `run \`helm registry login ${host}\` or \`docker login ${host}\``,
    );
  }

  #refused(status: number, body: Uint8Array): UserError {
    if (status === 401 || status === 403) return this.#unauthorized(undefined);
    const [first] = texts(this.#errors(body));
    return new UserError(
      `${registryAddress(this.#source)}: the registry answered ${status}${first === undefined ? '' : `: ${first}`}`,
    );
  }

  /** Returns the messages of the errors that registries send. */
  #errors(body: Uint8Array): readonly string[] {
    try {
      const errors = fieldsOf(JSON.parse(Buffer.from(body).toString('utf8')))?.['errors'];
      return Array.isArray(errors) ? errors.flatMap((each) => text(fieldsOf(each)?.['message']) ?? []) : [];
    } catch {
      return [];
    }
  }
}

/** Returns the digest of bytes as registries write it. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function basic({ username, password }: RegistryCredential): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

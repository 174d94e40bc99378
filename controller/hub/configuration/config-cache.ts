import { specHash } from '../../../encoding/spec-hash.ts';
import { Informer, type InformerMetrics } from '../../cache/informer.ts';
import type { Clock } from '../../clock.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import { keyOfName, type ApiObject, type ObjectKey, type Stored } from '../../kube/object.ts';
import type { Resource } from '../../kube/resource.ts';
import type { Log } from '../../operation/log.ts';
import type { ConfigFacts, ConfigName } from './config-references.ts';
import { decodeExactly } from './exact-json.ts';

/** A configuration of any kind, with nothing kept but what tells it from its other states. */
interface KeptConfig extends ApiObject {
  readonly facts: ConfigFacts;
}

export interface ConfigCacheOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: InformerMetrics;
  readonly resync: number;
}

type Following = Promise<Informer<KeptConfig> | undefined>;

/** After so many milliseconds the API server is asked again about a kind that it did not serve. */
const asksAgain = 60_000;
/**
 * So many milliseconds reconciliations wait for a kind to be listed, once. One that cannot be listed, for want of permission,
 * would otherwise hold up all workers again and again.
 */
const patience = 10_000;

const absent: ConfigFacts = { specHash: '', generation: 0 };

/**
 * Follows the configurations of add-ons that are not OCM's own, kind by kind from when one is first asked for. Secrets are
 * not read: their hash stays empty.
 */
export class ConfigCache {
  readonly #options: ConfigCacheOptions;
  readonly #signal: AbortSignal;
  readonly #informers = new Map<string, Informer<KeptConfig>>();
  /** Kinds that the API server is asked about, and those that it did not serve when it was. */
  readonly #asked = new Map<string, { readonly at: number; readonly informer: Following }>();
  /** End when a kind is listed, or has taken too long. */
  readonly #listings = new Map<Informer<KeptConfig>, Promise<void>>();
  readonly #handlers = new Set<(config: ConfigName) => void>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: ConfigCacheOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /**
   * What is known of a configuration; what there is not counts as empty.
   *
   * @throws Error where the API server cannot say yet
   */
  async facts(config: ConfigName): Promise<ConfigFacts> {
    const { group, resource, namespace, name } = config;
    if (group === '' && resource === 'secrets') return absent;
    const informer = await this.#informerOf(group, resource);
    if (informer === undefined) return absent;
    await this.#synced(informer);
    const key: ObjectKey = keyOfName(namespace === '' ? { name } : { namespace, name });
    return informer.store.get(key)?.facts ?? absent;
  }

  /** Calls the handler whenever a configuration changed. */
  onChange(handler: (config: ConfigName) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Returns when nothing is followed any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #informerOf(group: string, resource: string): Following {
    const kind = `${resource}.${group}`;
    const known = this.#informers.get(kind);
    if (known !== undefined) return known;
    const now = this.#options.clock.elapsed();
    const asked = this.#asked.get(kind);
    if (asked !== undefined && now - asked.at < asksAgain) return await asked.informer;
    const informer = this.#follow(group, resource);
    this.#asked.set(kind, { at: now, informer });
    try {
      const found = await informer;
      if (found !== undefined) this.#informers.set(kind, found);
      return found;
    } catch (error) {
      this.#asked.delete(kind);
      throw error;
    }
  }

  async #follow(group: string, resource: string): Following {
    const served = await servedResource(this.#options.client, group, resource, this.#signal);
    if (served === undefined) return undefined;
    const informer = new Informer<KeptConfig>(served, { ...this.#options, keep: keptOf });
    informer.onChange(({ before, after }) => {
      const { name, namespace = '' } = (after ?? before).metadata;
      for (const handler of this.#handlers) handler({ group, resource, namespace, name });
    });
    this.#running.add(informer.run(this.#signal));
    return informer;
  }

  async #synced(informer: Informer<KeptConfig>): Promise<void> {
    const listing = this.#listings.get(informer) ?? this.#listing(informer);
    this.#listings.set(informer, listing);
    await listing;
    if (!informer.hasSynced) throw new Error(`${informer.resource.plural} cannot be listed yet`);
  }

  async #listing(informer: Informer<KeptConfig>): Promise<void> {
    const { clock } = this.#options;
    const deadline = clock.elapsed() + patience;
    while (!informer.hasSynced && clock.elapsed() < deadline && !this.#signal.aborted)
      await clock.sleep(20, this.#signal);
  }
}

function keptOf(object: Stored<KeptConfig>): Stored<KeptConfig> {
  const { apiVersion, kind, metadata } = object;
  const facts = factsOf(object);
  return { apiVersion, kind, metadata, facts };
}

const hashes = new WeakMap<object, ConfigFacts>();

/** The facts of an object, as the hub hashes it; worked out once an object. */
export function factsOf(object: Stored<ApiObject>): ConfigFacts {
  const known = hashes.get(object);
  if (known !== undefined) return known;
  const facts = { specHash: specHash({ ...object }), generation: object.metadata.generation ?? 0 };
  hashes.set(object, facts);
  return facts;
}

interface GroupDiscovery {
  /** The preferred one first. */
  readonly versions?: readonly { readonly groupVersion: string }[];
}
interface ResourceDiscovery {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** A kind in the preferred version of its group, or else in the next that has it: not all versions have all kinds. */
async function servedResource(
  client: ApiClient,
  group: string,
  plural: string,
  signal: AbortSignal,
): Promise<Resource<KeptConfig> | undefined> {
  const root = group === '' ? '/api' : '/apis';
  for (const groupVersion of await versionsOf(client, group, signal)) {
    const { resources } = (await client.read(`${root}/${groupVersion}`, signal)) as ResourceDiscovery;
    const found = resources.find(({ name }) => name === plural);
    if (found === undefined) continue;
    const { kind, namespaced } = found;
    return { apiVersion: groupVersion, kind, plural, namespaced, decode: decodeExactly };
  }
  return undefined;
}

async function versionsOf(client: ApiClient, group: string, signal: AbortSignal): Promise<readonly string[]> {
  if (group === '') return ['v1'];
  const discovery = (await client.readIfThere(`/apis/${group}`, signal)) as GroupDiscovery | undefined;
  return (discovery?.versions ?? []).map(({ groupVersion }) => groupVersion);
}

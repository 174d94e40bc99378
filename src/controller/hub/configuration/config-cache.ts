import type { InformerMetrics } from '../../cache/informer.ts';
import type { Clock } from '../../../client/clock.ts';
import type { ApiClient } from '../../../client/api-client.ts';
import type { ApiReader } from '../../../client/api-reader.ts';
import { servedResources, servedVersions } from '../../../client/discovery.ts';
import { isDnsLabel, isDnsSubdomain } from '../../../client/names.ts';
import type { Resource } from '../../../client/resource.ts';
import type { Log } from '../../operation/log.ts';
import { missingConfig, type ConfigFacts, type ConfigName } from './config-references.ts';
import { decodeExactly } from '../../../client/exact-json.ts';
import { FollowedConfigs, type CachedConfig } from './followed-configs.ts';
import { FollowedSecrets, isSecret } from './followed-secrets.ts';

export interface ConfigCacheOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: InformerMetrics;
  readonly resync: number;
  /** Maximum number of followed Secrets: each requires a connection. */
  readonly mostSecrets: number;
}

type Following = Promise<FollowedConfigs | undefined>;

/** After this number of milliseconds, the API server is asked again about a kind that it did not serve. */
const retryAfter = 60_000;

/**
 * Follows the configurations of add-ons that are not OCM's own, from the first lookup on: kind by kind, but Secrets
 * one by one.
 */
export class ConfigCache {
  readonly #options: ConfigCacheOptions;
  readonly #signal: AbortSignal;
  readonly #followed = new Map<string, FollowedConfigs>();
  /** Kinds that were requested from the API server, including those that it did not serve at that time. */
  readonly #lookups = new Map<string, { readonly at: number; readonly followed: Following }>();
  readonly #secrets: FollowedSecrets;
  readonly #handlers = new Set<(config: ConfigName) => void>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: ConfigCacheOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#secrets = new FollowedSecrets({ ...options, onChange: this.#notify }, signal);
  }

  /**
   * Returns the facts of a configuration; a missing one counts as empty.
   *
   * @param namedBy - the cluster whose ManagedClusterAddOn references it; undefined if the definition of the add-on
   * does
   * @throws Error if the API server cannot answer yet
   */
  async facts(config: ConfigName, namedBy?: string): Promise<ConfigFacts> {
    if (isSecret(config)) return await this.#secrets.facts(config, namedBy);
    // Names become paths.
    if (!isDnsLabel(config.resource) || (config.group !== '' && !isDnsSubdomain(config.group)))
      return missingConfig('is of a kind that the hub does not serve');
    const followed = await this.#followedKind(config);
    if (followed === undefined)
      return { ...missingConfig('is of a kind that the hub does not serve'), retryAfter };
    return await followed.facts(config, this.#signal);
  }

  /** Calls the handler whenever a configuration changes. */
  onChange(handler: (config: ConfigName) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Returns when nothing is followed any more. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running, this.#secrets.ended()]);
  }

  readonly #notify = (config: ConfigName): void => {
    for (const handler of this.#handlers) handler(config);
  };

  async #followedKind({ group, resource }: ConfigName): Following {
    const kind = `${resource}.${group}`;
    const followedKind = this.#followed.get(kind);
    if (followedKind !== undefined) return followedKind;
    const now = this.#options.clock.elapsed();
    const lookup = this.#lookups.get(kind);
    if (lookup !== undefined && now - lookup.at < retryAfter) return await lookup.followed;
    const followed = this.#follow(group, resource);
    this.#lookups.set(kind, { at: now, followed });
    try {
      const configs = await followed;
      if (configs !== undefined) this.#followed.set(kind, configs);
      return configs;
    } catch (error) {
      this.#lookups.delete(kind);
      throw error;
    }
  }

  async #follow(group: string, resource: string): Following {
    const served = await servedResource(this.#options.client, group, resource, this.#signal);
    if (served === undefined) return undefined;
    const options = { ...this.#options, onChange: this.#notify, permission: 'its kind' };
    const followed = new FollowedConfigs({ group, resource }, served, options);
    this.#running.add(followed.run(this.#signal));
    return followed;
  }
}

/**
 * Returns a kind in the preferred version of its group, or else in the next one that has it: not all versions have
 * all kinds.
 */
async function servedResource(
  client: ApiReader,
  group: string,
  plural: string,
  signal: AbortSignal,
): Promise<Resource<CachedConfig> | undefined> {
  for (const version of await servedVersions(client, group, signal)) {
    const resources = await servedResources(client, version, signal);
    const match = resources.find((resource) => resource.plural === plural);
    if (match === undefined) continue;
    const { kind, namespaced } = match;
    return { apiVersion: version, kind, plural, namespaced, decode: decodeExactly };
  }
  return undefined;
}

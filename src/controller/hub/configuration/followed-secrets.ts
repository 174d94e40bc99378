import { Budgets } from '../../events/budgets.ts';
import { isDnsLabel, isDnsSubdomain } from '../../../client/names.ts';
import { keyOfName, type ObjectKey } from '../../../client/object.ts';
import { namespacedResource, type Resource } from '../../../client/resource.ts';
import { missingConfig, type ConfigFacts, type ConfigName } from './config-references.ts';
import { decodeExactly } from '../../../client/exact-json.ts';
import { FollowedConfigs, type FollowedConfigsOptions } from './followed-configs.ts';

const secrets: Resource = {
  ...namespacedResource('v1', 'Secret', 'secrets'),
  decode: decodeExactly,
};

export function isSecret({ group, resource }: Pick<ConfigName, 'group' | 'resource'>): boolean {
  return group === '' && resource === secrets.plural;
}

interface Followed {
  readonly configs: FollowedConfigs;
  readonly end: AbortController;
  /** The cluster whose ManagedClusterAddOn referenced it first, if there is one. */
  readonly namedBy: string | undefined;
  /** The time of the last lookup. */
  at: number;
}

export interface FollowedSecretsOptions extends Omit<FollowedConfigsOptions, 'selection' | 'permission'> {
  /** Maximum number of followed Secrets: each requires a connection. */
  readonly mostSecrets: number;
}

/**
 * Maximum number of Secrets that are followed because the ManagedClusterAddOns of one cluster reference them: their
 * writer must not use up the connections of all.
 */
const mostOfCluster = 50;
/** Milliseconds after which a Secret beyond the limit is retried, and after which that is logged again. */
const retryAfter = 60_000;

/**
 * Configurations in Secrets, each followed separately, by its name. So only the permission to list and watch the
 * referenced ones is needed, and no others are ever in memory. Of these, only the hash stays in memory.
 */
export class FollowedSecrets {
  readonly #options: FollowedSecretsOptions;
  readonly #reports: Budgets;
  readonly #signal: AbortSignal;
  readonly #followed = new Map<ObjectKey, Followed>();
  /** The number of followed Secrets that exist. */
  #existing = 0;
  /** When the Secrets that are no longer looked up were last dropped. */
  #droppedAt: number;
  readonly #running = new Set<Promise<void>>();

  constructor(options: FollowedSecretsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#reports = new Budgets({ clock: options.clock, burst: 1, refill: retryAfter });
    this.#signal = signal;
    this.#droppedAt = options.clock.elapsed();
  }

  /**
   * @param namedBy - as in `ConfigCache.facts`
   * @throws Error if the API server cannot answer yet
   */
  async facts(config: ConfigName, namedBy: string | undefined): Promise<ConfigFacts> {
    if (config.namespace === '') return missingConfig('is named without a namespace');
    // Names become paths and selectors.
    if (!isDnsLabel(config.namespace) || !isDnsSubdomain(config.name)) return missingConfig('does not exist');
    const key = keyOfName(config);
    const at = this.#options.clock.elapsed();
    let followed = this.#followed.get(key);
    if (followed === undefined) {
      this.#dropUnused(at);
      const excess = this.#excess(namedBy);
      if (excess !== undefined) return { ...missingConfig(excess), retryAfter };
      followed = this.#follow(config, at, namedBy);
      this.#followed.set(key, followed);
    }
    followed.at = at;
    return await followed.configs.facts(config, this.#signal);
  }

  /** Returns when nothing is followed any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Returns the reason why no further Secret is followed; undefined if one is. */
  #excess(namedBy: string | undefined): string | undefined {
    const { mostSecrets, log } = this.#options;
    const isOfCluster = (followed: Followed): boolean => followed.namedBy === namedBy;
    const excess =
      this.#followed.size >= mostSecrets
        ? `is not read: this controller follows ${mostSecrets} Secrets already`
        : namedBy !== undefined && [...this.#followed.values()].filter(isOfCluster).length >= mostOfCluster
          ? `is not read: add-ons on ${namedBy} name more than ${mostOfCluster} Secrets`
          : undefined;
    if (excess !== undefined && this.#reports.take(excess))
      log.warn({ cluster: namedBy }, `a Secret ${excess}`);
    return excess;
  }

  #follow(
    { group, resource, namespace, name }: ConfigName,
    at: number,
    namedBy: string | undefined,
  ): Followed {
    const { metrics } = this.#options;
    const end = new AbortController();
    let counted = 0;
    const setCount = (objects: number): void => {
      this.#existing += objects - counted;
      counted = objects;
      metrics.cached(secrets.plural, this.#existing);
    };
    end.signal.addEventListener('abort', () => setCount(0));
    const configs = new FollowedConfigs({ group, resource }, secrets, {
      ...this.#options,
      metrics: {
        began: (resource, verb) => metrics.began(resource, verb),
        failed: (resource, verb) => metrics.failed(resource, verb),
        cached: (_, objects) => setCount(end.signal.aborted ? 0 : objects),
      },
      selection: { namespace, fieldSelector: `metadata.name=${name}` },
      permission: 'it',
    });
    const running = configs.run(AbortSignal.any([this.#signal, end.signal]));
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
    return { configs, end, namedBy, at };
  }

  /**
   * Drops unused Secrets. Every add-on looks up its configurations again after a resync: those without a lookup in
   * two resyncs belong to none.
   */
  #dropUnused(now: number): void {
    if (now - this.#droppedAt < this.#options.resync) return;
    this.#droppedAt = now;
    for (const [key, { end, at }] of this.#followed) {
      if (now - at < 2.5 * this.#options.resync) continue;
      end.abort();
      this.#followed.delete(key);
    }
  }
}

import { Budgets } from '../../events/budgets.ts';
import { isDnsLabel, isDnsSubdomain } from '../../kube/names.ts';
import { keyOfName, type ObjectKey } from '../../kube/object.ts';
import { namespacedResource } from '../../kube/resource.ts';
import { missingConfig, type ConfigFacts, type ConfigName } from './config-references.ts';
import { decodeExactly } from './exact-json.ts';
import { FollowedConfigs, type FollowedConfigsOptions, type KeptConfig } from './followed-configs.ts';

const secrets = {
  ...namespacedResource<KeptConfig>('v1', 'Secret', 'secrets'),
  decode: decodeExactly,
};

export function isSecret({ group, resource }: Pick<ConfigName, 'group' | 'resource'>): boolean {
  return group === '' && resource === secrets.plural;
}

interface Followed {
  readonly configs: FollowedConfigs;
  readonly end: AbortController;
  /** The cluster whose ManagedClusterAddOn named it first, if it was one. */
  readonly namedBy: string | undefined;
  /** When it was last asked for. */
  at: number;
}

export interface FollowedSecretsOptions extends Omit<FollowedConfigsOptions, 'selection' | 'permission'> {
  /** Secrets that are followed at most: each costs a connection. */
  readonly mostSecrets: number;
}

/**
 * Secrets that are followed because the ManagedClusterAddOns of one cluster name them: whoever writes these must not use up the
 * connections of all.
 */
const mostOfCluster = 50;
/** Milliseconds after which a Secret beyond the bound is tried again, and after which that is in the log again. */
const triesAgain = 60_000;

/**
 * Configurations in Secrets, each followed alone, by its name: so the permission to list and watch those that are named is
 * all that is needed, and no others are ever in memory. Of these only the hash stays there.
 */
export class FollowedSecrets {
  readonly #options: FollowedSecretsOptions;
  readonly #reports: Budgets;
  readonly #signal: AbortSignal;
  readonly #followed = new Map<ObjectKey, Followed>();
  /** Of those that are followed how many there are. */
  #held = 0;
  /** When those were last left that nobody asks for. */
  #leftAt: number;
  readonly #running = new Set<Promise<void>>();

  constructor(options: FollowedSecretsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#reports = new Budgets({ clock: options.clock, burst: 1, refill: triesAgain });
    this.#signal = signal;
    this.#leftAt = options.clock.elapsed();
  }

  /**
   * @param namedBy - as that of `ConfigCache.facts`
   * @throws Error where the API server cannot say yet
   */
  async facts(config: ConfigName, namedBy: string | undefined): Promise<ConfigFacts> {
    if (config.namespace === '') return missingConfig('is named without a namespace');
    // Names become paths and selectors.
    if (!isDnsLabel(config.namespace) || !isDnsSubdomain(config.name)) return missingConfig('is not there');
    const key = keyOfName(config);
    const at = this.#options.clock.elapsed();
    let followed = this.#followed.get(key);
    if (followed === undefined) {
      this.#leaveUnasked(at);
      const excess = this.#excess(namedBy);
      if (excess !== undefined) return { ...missingConfig(excess), askAgain: triesAgain };
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

  /** Why no further Secret is followed; undefined where one is. */
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
    let own = 0;
    const hold = (objects: number): void => {
      this.#held += objects - own;
      own = objects;
      metrics.held(secrets.plural, this.#held);
    };
    end.signal.addEventListener('abort', () => hold(0));
    const configs = new FollowedConfigs({ group, resource }, secrets, {
      ...this.#options,
      metrics: {
        began: (resource, verb) => metrics.began(resource, verb),
        failed: (resource, verb) => metrics.failed(resource, verb),
        held: (_, objects) => hold(end.signal.aborted ? 0 : objects),
      },
      selection: { namespace, fieldSelector: `metadata.name=${name}` },
      permission: 'it',
    });
    const running = configs.run(AbortSignal.any([this.#signal, end.signal]));
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
    return { configs, end, namedBy, at };
  }

  /** Every add-on asks for its configurations again after a resync: those that were not asked for in two are of none. */
  #leaveUnasked(now: number): void {
    if (now - this.#leftAt < this.#options.resync) return;
    this.#leftAt = now;
    for (const [key, { end, at }] of this.#followed) {
      if (now - at < 2.5 * this.#options.resync) continue;
      end.abort();
      this.#followed.delete(key);
    }
  }
}

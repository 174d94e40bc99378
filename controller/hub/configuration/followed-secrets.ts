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
  /** When it was last asked for. */
  at: number;
}

/**
 * Configurations in Secrets, each followed alone, by its name: so the permission to list and watch those that are named is
 * all that is needed, and no others are ever in memory. Of these only the hash stays there.
 */
export class FollowedSecrets {
  readonly #options: Omit<FollowedConfigsOptions, 'selection' | 'permission'>;
  readonly #signal: AbortSignal;
  readonly #followed = new Map<ObjectKey, Followed>();
  /** Of those that are followed how many there are. */
  #held = 0;
  /** When those were last left that nobody asks for. */
  #leftAt: number;
  readonly #running = new Set<Promise<void>>();

  constructor(options: Omit<FollowedConfigsOptions, 'selection' | 'permission'>, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#leftAt = options.clock.elapsed();
  }

  /** @throws Error where the API server cannot say yet */
  async facts(config: ConfigName): Promise<ConfigFacts> {
    if (config.namespace === '') return missingConfig('is named without a namespace');
    const key = keyOfName(config);
    const at = this.#options.clock.elapsed();
    let followed = this.#followed.get(key);
    if (followed === undefined) {
      this.#leaveUnasked(at);
      followed = this.#follow(config, at);
      this.#followed.set(key, followed);
    }
    followed.at = at;
    return await followed.configs.facts(config, this.#signal);
  }

  /** Returns when nothing is followed any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #follow({ group, resource, namespace, name }: ConfigName, at: number): Followed {
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
    return { configs, end, at };
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

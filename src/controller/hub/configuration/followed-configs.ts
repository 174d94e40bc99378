import { specHash } from '../../../ocm/spec-hash.ts';
import { Informer, type InformerMetrics } from '../../cache/informer.ts';
import type { Clock } from '../../../client/clock.ts';
import type { ApiReader, Selection } from '../../../client/api-reader.ts';
import { identityOf, keyOfName, type ApiObject, type Stored } from '../../../client/object.ts';
import type { Resource } from '../../../client/resource.ts';
import type { Log } from '../../operation/log.ts';
import { missingConfig, type ConfigFacts, type ConfigName } from './config-references.ts';

/** A configuration of any kind, reduced to the parts that distinguish it from its other states. */
export interface CachedConfig extends ApiObject {
  readonly facts: ConfigFacts;
}

export interface FollowedConfigsOptions {
  readonly client: ApiReader;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: InformerMetrics;
  readonly resync: number;
  /** Called for every configuration that changed, and for those that were looked up before anything was known of them. */
  readonly onChange: (config: ConfigName) => void;
  readonly selection?: Selection;
  /** The resources that a missing permission to follow them must cover. */
  readonly permission: string;
}

/**
 * How long reconciliations wait once for the first list, in milliseconds. A kind that cannot be listed would
 * otherwise block all workers repeatedly.
 */
const patience = 10_000;

/** Maximum number of configurations that are reported once they are listed; others are found at the next resync. */
const maxRequested = 10_000;

/** Configurations of one kind, all or some, whose facts are cached. */
export class FollowedConfigs {
  readonly #informer: Informer<CachedConfig, never, ApiObject>;
  readonly #options: FollowedConfigsOptions;
  readonly #requested = new Map<string, ConfigName>();
  /** Ends when they are listed, are forbidden, or have taken too long. */
  #answered: Promise<void> | undefined;

  constructor(
    kind: Pick<ConfigName, 'group' | 'resource'>,
    resource: Resource,
    options: FollowedConfigsOptions,
  ) {
    this.#options = options;
    const { selection, onChange, ...common } = options;
    const onListed = (): void => {
      for (const config of this.#requested.values()) onChange(config);
      this.#requested.clear();
    };
    this.#informer = new Informer<CachedConfig, never, ApiObject>(resource, {
      ...common,
      ...selection,
      transform: cachedConfig,
      onListed,
    });
    this.#informer.onChange(({ before, after }) => {
      const { name, namespace = '' } = (after ?? before).metadata;
      onChange({ ...kind, namespace, name });
    });
  }

  /** Follows them until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#informer.run(signal);
  }

  /** @throws Error if the API server cannot answer yet */
  async facts(config: ConfigName, signal: AbortSignal): Promise<ConfigFacts> {
    const informer = this.#informer;
    await (this.#answered ??= this.#answer(signal));
    const { namespace, name } = config;
    const key = keyOfName(namespace === '' ? { name } : { namespace, name });
    if (informer.hasSynced) return informer.store.get(key)?.facts ?? missingConfig('does not exist');
    if (this.#requested.size < maxRequested) this.#requested.set(key, config);
    if (!informer.isForbidden) throw new Error(`${informer.resource.plural} cannot be listed yet`);
    return missingConfig(
      `may not be read: this controller lacks "list" and "watch" on ${this.#options.permission}`,
    );
  }

  async #answer(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const deadline = clock.elapsed() + patience;
    const isUnanswered = (): boolean => !this.#informer.hasSynced && !this.#informer.isForbidden;
    while (isUnanswered() && clock.elapsed() < deadline && !signal.aborted) await clock.sleep(20, signal);
  }
}

/**
 * Fields that are not listed here are never cached: neither the content of a Secret, nor the copy of it that kubectl
 * annotates.
 */
export function cachedConfig(object: Stored<ApiObject>): Stored<CachedConfig> {
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, metadata: identityOf(metadata), facts: factsOf(object) };
}

const hashes = new WeakMap<object, ConfigFacts>();

/** Returns the facts of an object, with the hash as on the hub; computed once per object. */
export function factsOf(object: Stored<ApiObject>): ConfigFacts {
  const cached = hashes.get(object);
  if (cached !== undefined) return cached;
  const facts = { specHash: specHash({ ...object }), generation: object.metadata.generation ?? 0 };
  hashes.set(object, facts);
  return facts;
}

import { configKindKey } from '../../../ocm/referent.ts';
import { compareUtf8 } from '../../../base/json/go-json.ts';
import type {
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1ConfigReference,
} from '../../../../schemas/types.gen.ts';
import { isNoDefault } from '../../../ocm/default-config.ts';
import { effectiveConfigs, inStatusOrder } from '../../../ocm/precedence.ts';

type ConfigReference = ManagedClusterAddOnV1alpha1ConfigReference;

/** Identifies a configuration. */
export interface ConfigName {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  /** Empty for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
}

/** The facts of a configuration: empty and 0 if it does not exist. */
export interface ConfigFacts {
  readonly specHash: string;
  readonly generation: number;
  /** The reason why there is no hash, in words that follow the name of the configuration. */
  readonly missing?: string;
  /** The number of milliseconds after which to look it up again, if no watch reports changes. */
  readonly retryAfter?: number;
}

/** Returns the facts of a configuration that cannot be read. */
export function missingConfig(missing: string): ConfigFacts {
  return { specHash: '', generation: 0, missing };
}

/** Returns `resource.group/namespace/name`, as in the annotation of works: without the group for the core group. */
export function configKey({ group, resource, namespace, name }: ConfigName): string {
  return `${group === '' ? resource : `${resource}.${group}`}/${namespace}/${name}`;
}

/**
 * Returns the configurations of an add-on on a cluster, sorted by group and resource; within a kind, those in the status keep
 * their order. As OCM addonconfiguration, without install strategies: the deliverer of such an add-on has resolved
 * them, and lists the result on the ManagedClusterAddOn.
 */
export function configsOf(
  addOn: ClusterManagementAddOnV1alpha1,
  onCluster: ManagedClusterAddOnV1alpha1,
): readonly ConfigName[] {
  const defaults = new ConfigsByKind();
  for (const { group = '', resource, defaultConfig } of addOn.spec.supportedConfigs ?? []) {
    const { name = '', namespace = '' } = defaultConfig ?? {};
    if (!isNoDefault(name)) defaults.add({ group, resource, namespace, name });
  }
  const ofCluster = new ConfigsByKind();
  for (const { group = '', resource, namespace = '', name } of onCluster.spec.configs ?? [])
    ofCluster.add({ group, resource, namespace, name });
  const kinds = [...new Set([...defaults.kinds, ...ofCluster.kinds])].sort(compareUtf8);
  const rank = new Map(
    (onCluster.status?.configReferences ?? []).map((reference, index) => [
      configKey(nameOf(reference)),
      index,
    ]),
  );
  return kinds.flatMap((kind) => {
    const levels = { default: defaults.of(kind), placement: undefined, cluster: ofCluster.of(kind) };
    return inStatusOrder(effectiveConfigs(levels), (config) => rank.get(configKey(config)));
  });
}

/** Configurations by kind; of equal ones the first. */
class ConfigsByKind {
  readonly #configs = new Map<string, Map<string, ConfigName>>();

  get kinds(): Iterable<string> {
    return this.#configs.keys();
  }

  of(kind: string): readonly ConfigName[] | undefined {
    const configs = this.#configs.get(kind);
    return configs && [...configs.values()];
  }

  add(config: ConfigName): void {
    const kind = configKindKey(config);
    const configs = this.#configs.get(kind) ?? new Map<string, ConfigName>();
    this.#configs.set(kind, configs.set(configKey(config), config));
  }
}

/**
 * Returns `status.configReferences`. Existing ones keep the last applied configuration.
 */
export function configReferences(
  configs: readonly ConfigName[],
  existing: readonly ConfigReference[],
  factsOf: (config: ConfigName) => ConfigFacts,
): readonly ConfigReference[] {
  const before = new Map(existing.map((reference) => [configKey(nameOf(reference)), reference]));
  return configs.map((config) => {
    const { group, resource, namespace, name } = config;
    const { specHash, generation } = factsOf(config);
    const referent = { ...(namespace !== '' && { namespace }), name };
    const { lastAppliedConfig } = before.get(configKey(config)) ?? {};
    return {
      group,
      resource,
      ...referent,
      desiredConfig: { ...referent, specHash },
      ...(lastAppliedConfig !== undefined && { lastAppliedConfig }),
      lastObservedGeneration: generation,
    };
  });
}

/** Returns the object of a reference. */
export function nameOf({
  group = '',
  resource,
  namespace = '',
  name,
  desiredConfig,
}: ConfigReference): ConfigName {
  return {
    group,
    resource,
    namespace: desiredConfig?.namespace ?? namespace,
    name: desiredConfig?.name ?? name,
  };
}

/** Returns the key of a kind. Sorting by it sorts by group, then resource. */

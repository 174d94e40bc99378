import { compareUtf8 } from '../../../encoding/go-json.ts';
import type {
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1ConfigReference,
} from '../../../schemas/types.gen.ts';

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
  readonly askAgain?: number;
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
 * Returns the configurations of an add-on on a cluster: the defaults, with each kind replaced as a whole if the
 * ManagedClusterAddOn references some of it. As OCM addonconfiguration, without install strategies: the deliverer of
 * such an add-on has resolved them, and lists the result on the ManagedClusterAddOn.
 */
export function effectiveConfigs(
  addOn: ClusterManagementAddOnV1alpha1,
  onCluster: ManagedClusterAddOnV1alpha1,
): readonly ConfigName[] {
  const byKind = new Map<string, Map<string, ConfigName>>();
  const add = (config: ConfigName): void => {
    const kind = kindKey(config);
    const configs = byKind.get(kind) ?? new Map<string, ConfigName>();
    byKind.set(kind, configs.set(configKey(config), config));
  };
  for (const { group = '', resource, defaultConfig } of addOn.spec.supportedConfigs ?? []) {
    if (defaultConfig === undefined || defaultConfig.name === noDefault) continue;
    add({ group, resource, namespace: defaultConfig.namespace ?? '', name: defaultConfig.name });
  }
  const own = onCluster.spec.configs ?? [];
  for (const { group = '', resource } of own) byKind.delete(kindKey({ group, resource }));
  for (const { group = '', resource, namespace = '', name } of own) add({ group, resource, namespace, name });
  return [...byKind.values()].flatMap((configs) => [...configs.values()]);
}

/** The marker of v1beta1 for a kind that is supported and has no default. */
const noDefault = '__reserved_no_default__';

/**
 * Returns `status.configReferences`, sorted by group and resource. Within a kind, existing ones stay before new ones,
 * and keep the last applied configuration. As OCM mergeAddonConfig.
 */
export function configReferences(
  configs: readonly ConfigName[],
  held: readonly ConfigReference[],
  factsOf: (config: ConfigName) => ConfigFacts,
): readonly ConfigReference[] {
  const before = new Map(
    held.map((reference, index) => [configKey(nameOf(reference)), { reference, index }]),
  );
  const wanted = configs.map((config) => ({ config, known: before.get(configKey(config)) }));
  wanted.sort(
    (a, b) =>
      compareUtf8(a.config.group, b.config.group) ||
      compareUtf8(a.config.resource, b.config.resource) ||
      (a.known?.index ?? Infinity) - (b.known?.index ?? Infinity) ||
      0,
  );
  return wanted.map(({ config, known }) => {
    const { group, resource, namespace, name } = config;
    const { specHash, generation } = factsOf(config);
    const referent = { ...(namespace !== '' && { namespace }), name };
    const { lastAppliedConfig } = known?.reference ?? {};
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

function kindKey({ group, resource }: Pick<ConfigName, 'group' | 'resource'>): string {
  return `${resource}.${group}`;
}

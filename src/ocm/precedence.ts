/** The configurations of one kind for an add-on on a cluster, by level; undefined where a level has none of the kind. */
export interface ConfigLevels<T> {
  readonly default: readonly T[] | undefined;
  /** Of the last entry of the install strategy whose placement selects the cluster. */
  readonly placement: readonly T[] | undefined;
  readonly cluster: readonly T[] | undefined;
}

/**
 * Returns the effective configurations of a kind: default < install strategy < cluster. The list of a level replaces the lists
 * before it as a whole. As OCM's addonconfiguration graph.
 */
export function effectiveConfigs<T>(levels: ConfigLevels<T>): readonly T[] {
  return levels.cluster ?? levels.placement ?? levels.default ?? [];
}

/**
 * Returns configurations of one kind in the order of a status: those in the status keep their order, new ones follow. As OCM
 * mergeAddonConfig.
 *
 * @param rankOf returns the position of a configuration in the status; undefined for a new one
 */
export function inStatusOrder<T>(
  configs: readonly T[],
  rankOf: (config: T) => number | undefined,
): readonly T[] {
  if (configs.length < 2) return configs;
  const rank = new Map(configs.map((config) => [config, rankOf(config) ?? Number.MAX_SAFE_INTEGER]));
  return [...configs].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
}

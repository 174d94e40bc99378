import { compareText } from '../../base/collections/compare-text.ts';
import { groupBy } from '../../base/collections/groups.ts';
import type { ClusterAddOn, EffectiveConfiguration } from './resolved-add-on.ts';
import { noSelections, selectionsLedBy, type Selections, type Selectors } from './selections.ts';

/** Clusters on which an add-on is the same: the same placements select them, and they have the same configuration. */
export interface ClusterClass {
  readonly placements: readonly string[];
  readonly effective: EffectiveConfiguration;
  /** Sorted by name. At least one. */
  readonly clusters: readonly string[];
}

/** What an add-on is on each cluster, as input of `AddOnClusters`. */
export interface AddOnClustersInput {
  /** The clusters that the install strategy selects. @default - none */
  readonly selections?: Selections;
  /** The configuration of a selected cluster without an override: one object for equal selectors. */
  readonly effectiveOf?: (selectors: Selectors) => EffectiveConfiguration;
  /** The clusters that differ from others with the same placements, sorted by name, selected or not. */
  readonly individual: ReadonlyMap<string, ClusterAddOn>;
}

const nothing: EffectiveConfiguration = { kinds: [], references: [], reads: 'first' };

/**
 * The clusters that have an add-on: a map by name, sorted by name, in which selected clusters come first. Clusters without an
 * override are stored as classes, so that work that is equal for a class does not have to visit its clusters. Entries of such
 * clusters are made when they are read: compare them by their content.
 */
export class AddOnClusters implements ReadonlyMap<string, ClusterAddOn> {
  readonly selections: Selections;
  /** The clusters that differ from others with the same placements. */
  readonly individual: ReadonlyMap<string, ClusterAddOn>;
  readonly size: number;
  readonly #effectiveOf: (selectors: Selectors) => EffectiveConfiguration;
  #byConfiguration: ReadonlyMap<EffectiveConfiguration, readonly string[]> | undefined;
  #classes: readonly ClusterClass[] | undefined;

  constructor({ selections = noSelections, effectiveOf = () => nothing, individual }: AddOnClustersInput) {
    this.selections = selections;
    this.individual = individual;
    this.#effectiveOf = effectiveOf;
    this.size = selections.byCluster.size + this.#unselected().length;
  }

  get(cluster: string): ClusterAddOn | undefined {
    const individual = this.individual.get(cluster);
    if (individual !== undefined) return individual;
    const selectors = this.selections.byCluster.get(cluster);
    if (selectors === undefined) return undefined;
    return { cluster, placements: selectors.placements, effective: this.#effectiveOf(selectors) };
  }

  /** Returns the configuration of a cluster, or undefined if it does not have the add-on. */
  effectiveOn(cluster: string): EffectiveConfiguration | undefined {
    const individual = this.individual.get(cluster);
    if (individual !== undefined) return individual.effective;
    const selectors = this.selections.byCluster.get(cluster);
    return selectors && this.#effectiveOf(selectors);
  }

  /** Returns `namespace/name` of the Placement that leads the rollout to a cluster: the last that selects it. */
  leaderOf(cluster: string): string | undefined {
    const { placements } = this.individual.get(cluster) ?? this.selections.byCluster.get(cluster) ?? {};
    return placements?.at(-1);
  }

  has(cluster: string): boolean {
    return this.individual.has(cluster) || this.selections.byCluster.has(cluster);
  }

  /** The clusters without an override, in classes, sorted by their first cluster. */
  get classes(): readonly ClusterClass[] {
    return (this.#classes ??= this.#withoutIndividual());
  }

  /** Returns the clusters whose rollout a placement leads, because it is the last that selects them. */
  ledBy(placement: string): AddOnClusters {
    return new AddOnClusters({
      selections: selectionsLedBy(this.selections, placement),
      effectiveOf: this.#effectiveOf,
      individual: new Map(
        [...this.individual].filter(([, { placements }]) => placements.at(-1) === placement),
      ),
    });
  }

  /**
   * Everything that an add-on is on some cluster: the classes, and each other cluster alone, in the order in which the map has
   * their first clusters.
   */
  parts(): readonly ClusterClass[] {
    const selected = [...this.classes];
    const unselected: ClusterClass[] = [];
    for (const { cluster, placements, effective } of this.individual.values()) {
      const parts = this.selections.byCluster.has(cluster) ? selected : unselected;
      parts.push({ placements, effective, clusters: [cluster] });
    }
    return [...selected.sort(byFirstCluster), ...unselected];
  }

  /** The clusters with each configuration, sorted by name, in the order of their first clusters. */
  byConfiguration(): ReadonlyMap<EffectiveConfiguration, readonly string[]> {
    return (this.#byConfiguration ??= this.#groupByConfiguration());
  }

  *keys(): MapIterator<string> {
    yield* this.selections.byCluster.keys();
    yield* this.#unselected();
    return undefined;
  }

  *values(): MapIterator<ClusterAddOn> {
    for (const [cluster, selectors] of this.selections.byCluster) {
      const { placements } = selectors;
      yield this.individual.get(cluster) ?? { cluster, placements, effective: this.#effectiveOf(selectors) };
    }
    for (const cluster of this.#unselected()) {
      const individual = this.individual.get(cluster);
      if (individual !== undefined) yield individual;
    }
    return undefined;
  }

  *entries(): MapIterator<[string, ClusterAddOn]> {
    for (const clusterAddOn of this.values()) yield [clusterAddOn.cluster, clusterAddOn];
    return undefined;
  }

  [Symbol.iterator](): MapIterator<[string, ClusterAddOn]> {
    return this.entries();
  }

  /** As iteration, but without an entry per cluster, which matters where all clusters of a fleet are visited. */
  forEach(
    visit: (value: ClusterAddOn, key: string, map: ReadonlyMap<string, ClusterAddOn>) => void,
    thisArgument?: unknown,
  ): void {
    const { individual } = this;
    this.selections.byCluster.forEach((selectors, cluster) => {
      const clusterAddOn = (individual.size === 0 ? undefined : individual.get(cluster)) ?? {
        cluster,
        placements: selectors.placements,
        effective: this.#effectiveOf(selectors),
      };
      visit.call(thisArgument, clusterAddOn, cluster, this);
    });
    for (const cluster of this.#unselected()) {
      const clusterAddOn = individual.get(cluster);
      if (clusterAddOn !== undefined) visit.call(thisArgument, clusterAddOn, cluster, this);
    }
  }

  #unselected(): readonly string[] {
    return [...this.individual.keys()].filter((cluster) => !this.selections.byCluster.has(cluster));
  }

  #groupByConfiguration(): ReadonlyMap<EffectiveConfiguration, readonly string[]> {
    const lists = groupBy(this.parts(), ({ effective }) => effective);
    return new Map(
      Array.from(lists, ([effective, parts]) => {
        const [first] = parts;
        const isSingle = first !== undefined && parts.length === 1;
        return [effective, isSingle ? first.clusters : parts.flatMap(({ clusters }) => clusters).sort()];
      }),
    );
  }

  #withoutIndividual(): readonly ClusterClass[] {
    const classes: ClusterClass[] = [];
    for (const [selectors, all] of this.selections.classes) {
      const clusters =
        this.individual.size === 0 ? all : all.filter((cluster) => !this.individual.has(cluster));
      const { placements } = selectors;
      if (clusters.length > 0)
        classes.push({ placements, effective: this.#effectiveOf(selectors), clusters });
    }
    return classes.sort(byFirstCluster);
  }
}

/** Compares lists of clusters by their first cluster. */
export function byFirstCluster(
  { clusters: [a = ''] }: { readonly clusters: readonly string[] },
  { clusters: [b = ''] }: { readonly clusters: readonly string[] },
): number {
  return compareText(a, b);
}

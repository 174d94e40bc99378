import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { Outcome } from '../model/diagnostic.ts';
import { formatFieldPath } from '../model/field-path.ts';
import type { SchedulerIndex } from '../place/scheduler-index.ts';
import { didYouMean } from '../model/suggestion.ts';
import { clusterClasses, ConditionMatcher, type ClusterClass } from './cluster-classes.ts';
import { ClusterFacts, factValue, type HubFacts } from './cluster-facts.ts';
import { valuesOn } from './compute-values.ts';
import { Findings } from './evaluation-findings.ts';
import { factsIn, type Fact } from './expression.ts';
import { isOrdered, orderedLayers, placementIndex } from './layer-order.ts';
import { mergeLayers } from './merge.ts';
import type { Layer, LayerCondition, ParameterValues } from './model.ts';
import type { DeclaredParameters } from './read.ts';

/** The clusters of an add-on, and the placements that install it. */
export interface AddOnClusters {
  /** The names of the clusters that have the add-on. */
  readonly clusters: readonly string[];
  /** The placements of the install strategy in its order, as `namespace/name`, with the clusters that each selects. */
  readonly placements: ReadonlyMap<string, readonly string[]>;
}

/** Evaluates the parameters of add-ons on the clusters of one hub. */
export class ParameterEvaluation {
  readonly #scheduler: SchedulerIndex;
  readonly #hub: HubFacts;
  readonly #conditions: ConditionMatcher;
  readonly #facts: ClusterFacts;
  readonly #hasFleet: boolean;
  /** Add-ons with the same placements share the list of their clusters. */
  readonly #indicesOf = new Map<readonly string[], readonly number[]>();
  readonly #isIn = new Map<readonly number[], Uint8Array>();

  constructor(scheduler: SchedulerIndex, hub: HubFacts) {
    this.#scheduler = scheduler;
    this.#hub = hub;
    this.#conditions = new ConditionMatcher(scheduler);
    this.#facts = new ClusterFacts(scheduler.index);
    this.#hasFleet = scheduler.index.size > 0;
  }

  /**
   * Returns the values on each cluster of an add-on. Clusters with equal values, from the same layers, have the same object.
   * Clusters for which a value cannot be computed are left out, and reported.
   */
  evaluate(
    set: DeclaredParameters,
    { clusters, placements }: AddOnClusters,
  ): Outcome<ReadonlyMap<string, ParameterValues>> {
    const findings = new Findings(set);
    const indices = getOrInsertComputed(this.#indicesOf, clusters, () => this.#indices(clusters));
    const placementKeys = [...placements.keys()];
    const layers = orderedLayers(set.layers, placementKeys);
    const clustersOf = (layer: Layer): Iterable<number> | undefined =>
      this.#clustersOf(layer, { placements, placementKeys, indices, findings });
    const values = new Map<string, ParameterValues>();
    for (const inClass of clusterClasses(layers, indices, clustersOf))
      this.#evaluateClass(set, inClass, placementKeys, findings, values);
    return { value: values, diagnostics: findings.diagnostics() };
  }

  /** Returns whether a condition of a layer selects a cluster. An invalid one selects none. */
  selection(condition: LayerCondition): (cluster: string) => boolean {
    const flags = this.#conditions.matches(condition);
    const { index } = this.#scheduler;
    return (cluster) => !('error' in flags) && flags[index.indexOf(cluster) ?? -1] === 1;
  }

  /**
   * Returns the values of a placement without clusters: those that no property of a cluster decides. Undefined if a value depends
   * on the cluster.
   */
  withoutCluster(
    set: DeclaredParameters,
    placement: string,
    placements: readonly string[],
  ): ParameterValues | undefined {
    const layers = orderedLayers(set.layers, placements).filter((layer) => {
      const { scope } = layer;
      if (scope.rank === 'hub') return scope.hub === undefined || scope.hub === this.#hub.name;
      if (scope.rank === 'placement') return placements[placementIndex(layer, placements)] === placement;
      return scope.rank === 'default' || scope.rank === 'add-on';
    });
    const merged = mergeLayers(layers, () => true);
    const factOf = (fact: Fact): unknown => factValue(fact, undefined, {}, this.#hub);
    return valuesOn(set, merged, factOf, () => undefined);
  }

  #clustersOf(
    layer: Layer,
    { placements, placementKeys, indices, findings }: LayerContext,
  ): Iterable<number> | undefined {
    const { scope } = layer;
    switch (scope.rank) {
      case 'default':
      case 'add-on':
        return undefined;
      case 'hub':
        return scope.hub === undefined || scope.hub === this.#hub.name ? undefined : [];
      case 'placement': {
        const key = placementKeys[placementIndex(layer, placementKeys)];
        const selected = placements.get(key ?? '') ?? [];
        if (key === undefined) {
          findings.add('FW4112', layer, [...layer.path, 'placement'], {
            message: `the install strategy has no placement "${scope.placement}"`,
            hint: didYouMean(scope.placement, placementKeys, 'the placements are'),
          });
          return [];
        }
        return getOrInsertComputed(this.#indicesOf, selected, () => this.#indices(selected));
      }
      case 'cluster':
        return this.#namedClusters(layer, scope.clusters, indices, findings);
      case 'where': {
        const flags = this.#conditions.matches(scope.where);
        if ('error' in flags) {
          findings.add('FW4109', layer, layer.path, { message: `invalid selector: ${flags.error}` });
          return [];
        }
        const matching = indices.filter((cluster) => flags[cluster] === 1);
        if (matching.length === 0 && this.#hasFleet)
          findings.add('FW4105', layer, layer.path, {
            message: `no cluster of "${findings.addOn}" matches the layer ${layer.title}`,
            hint: 'correct the selector, or remove the layer',
          });
        return matching;
      }
      default:
        throw new Error(`no clusters for ${String(scope satisfies never)}`);
    }
  }

  #namedClusters(
    layer: Layer,
    names: readonly string[],
    indices: readonly number[],
    findings: Findings,
  ): number[] {
    const { index } = this.#scheduler;
    const isInstalled = getOrInsertComputed(this.#isIn, indices, () => {
      const flags = new Uint8Array(index.size);
      for (const cluster of indices) flags[cluster] = 1;
      return flags;
    });
    const clusters: number[] = [];
    for (const name of names) {
      const cluster = index.indexOf(name);
      if (cluster !== undefined && isInstalled[cluster] === 1) clusters.push(cluster);
      else if (this.#hasFleet)
        findings.add('FW4105', layer, layer.path, {
          message:
            cluster === undefined
              ? `cluster "${name}" is not in the fleet`
              : `"${findings.addOn}" is not installed on cluster "${name}"`,
          hint: cluster === undefined ? didYouMean(name, index.names, 'the clusters are') : undefined,
        });
    }
    return clusters;
  }

  #indices(clusters: readonly string[]): number[] {
    return clusters.flatMap((cluster) => this.#scheduler.index.indexOf(cluster) ?? []);
  }

  #evaluateClass(
    set: DeclaredParameters,
    { layers, clusters }: ClusterClass,
    placementKeys: readonly string[],
    findings: Findings,
    into: Map<string, ParameterValues>,
  ): void {
    const { index } = this.#scheduler;
    const merged = mergeLayers(layers, (a, b) => isOrdered(a, b, placementKeys));
    const names = (): string[] => index.namesOf(clusters);
    for (const { path, first, second } of merged.conflicts)
      findings.add(
        'FW4104',
        second.layer,
        second.path,
        {
          message: `the layers ${first.layer.title} and ${second.layer.title} set ${formatFieldPath(path)} to different values, and neither is stronger`,
          hint: 'set order of one of the layers; the larger one is stronger',
          related: [{ message: 'the other value', location: first.layer.origin.locate(first.path) }],
        },
        names,
      );
    // Facts of the hub are the same for all clusters.
    const facts = factsIn(merged.values).filter(({ of }) => of.startsWith('cluster.'));
    const columns = facts.map((fact) => this.#facts.column(fact));
    const root: EqualFacts = { next: new Map(), values: undefined };
    for (const cluster of clusters) {
      let equal = root;
      for (const column of columns)
        equal = getOrInsertComputed(equal.next, column[cluster], () => ({
          next: new Map(),
          values: undefined,
        }));
      const name = index.names[cluster] ?? '';
      // A fault is reported with all of its clusters.
      equal.values ??= valuesOn(
        set,
        merged,
        (fact) => factValue(fact, index.clusters[cluster], index.claims(cluster), this.#hub),
        (...finding) => findings.add(...finding, () => [name]),
      );
      if (equal.values !== undefined) into.set(name, equal.values);
    }
  }
}

/** Clusters of a class that have the same facts so far. */
interface EqualFacts {
  /** By the next fact. */
  readonly next: Map<unknown, EqualFacts>;
  values: ParameterValues | undefined;
}

interface LayerContext extends Pick<AddOnClusters, 'placements'> {
  readonly placementKeys: readonly string[];
  readonly indices: readonly number[];
  readonly findings: Findings;
}

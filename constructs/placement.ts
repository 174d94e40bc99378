import type { Construct } from 'constructs';
import type { PlacementV1beta1Spec } from '../schemas/types.gen.ts';
import type { ClusterPredicate } from './cluster-predicate.ts';
import { toPredicate } from './cluster-predicate.ts';
import type { DecisionGroup } from './decision-group.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { IManagedClusterSet } from './managed-cluster-set.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { Prioritizer } from './prioritizer.ts';
import type { Percent } from './rollout.ts';
import type { Toleration } from './toleration.ts';
import { checkProps } from './check-properties.ts';

/** A Placement, in this app or defined elsewhere. */
export interface IPlacement {
  /** Namespace and name of the Placement. */
  readonly placementReference: PlacementReference;
}

/** A reference to a Placement. */
export interface PlacementReference {
  readonly namespace: string;
  readonly name: string;
}

/** The selection of a Placement. */
export interface PlacementProps extends NamespacedObjectProps {
  /**
   * The sets whose clusters may be selected. They must be bound to the namespace of the Placement.
   *
   * @default - all sets that are bound to the namespace
   */
  readonly clusterSets?: readonly IManagedClusterSet[];

  /**
   * Number of clusters to select. If fewer match, all of them are selected.
   *
   * @default - all matching clusters
   */
  readonly numberOfClusters?: number;

  /**
   * The predicates. A cluster may be selected if at least one of them matches.
   *
   * @default - all clusters of the sets
   */
  readonly predicates?: readonly ClusterPredicate[];

  /**
   * The tolerations of taints on clusters.
   *
   * @default - none
   */
  readonly tolerations?: readonly Toleration[];

  /**
   * The prioritizers that rank the clusters if `numberOfClusters` is less than the number of matching clusters.
   *
   * @default - only those of the mode
   */
  readonly prioritizers?: readonly Prioritizer[];

  /**
   * Whether the prioritizers are added to the hub's own (Balance and Steady with weight 1), or replace them.
   *
   * @default 'Additive'
   */
  readonly prioritizerMode?: 'Additive' | 'Exact';

  /**
   * The named groups of the selected clusters, in this order. The clusters without a group come after them.
   *
   * @default - none
   */
  readonly decisionGroups?: readonly DecisionGroup[];

  /**
   * Maximum number of clusters per group. Larger groups are split; the unnamed groups have this size.
   *
   * @default - unlimited
   */
  readonly clustersPerDecisionGroup?: number | Percent;
}

/**
 * Selects managed clusters.
 *
 * @example
 * new Placement(chart, 'production', {
 *   clusterSets: [ManagedClusterSet.global],
 *   predicates: [{ labels: { env: 'prod' }, claims: Selector.exists('region.open-cluster-management.io') }],
 *   tolerations: [Toleration.unreachable()],
 * });
 *
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/
 */
export class Placement extends NamespacedObject implements IPlacement {
  /** Returns a reference to a Placement that is defined elsewhere. */
  static reference(namespace: string, name: string): IPlacement {
    return { placementReference: { namespace, name } };
  }

  /** Number of clusters to select; `undefined` for all matching clusters. */
  readonly numberOfClusters: number | undefined;
  /** Whether the hub's own prioritizers are used. */
  readonly prioritizerMode: 'Additive' | 'Exact';

  /** Maximum number of clusters per group; `undefined` for unlimited. */
  readonly clustersPerDecisionGroup: number | Percent | undefined;

  private readonly hasMode: boolean;
  private readonly clusterSets: IManagedClusterSet[];
  private readonly predicates: ClusterPredicate[];
  private readonly tolerations: Toleration[];
  private readonly prioritizers: Prioritizer[];
  private readonly decisionGroups: DecisionGroup[];

  constructor(scope: Construct, id: string, props: PlacementProps = {}) {
    checkProps({ Placement }, new.target, scope, id, props);
    super(scope, id, { apiVersion: 'cluster.open-cluster-management.io/v1beta1', kind: 'Placement' }, props);
    this.numberOfClusters = props.numberOfClusters;
    this.prioritizerMode = props.prioritizerMode ?? 'Additive';
    this.hasMode = props.prioritizerMode !== undefined;
    this.clustersPerDecisionGroup = props.clustersPerDecisionGroup;
    this.clusterSets = [...(props.clusterSets ?? [])];
    this.predicates = [...(props.predicates ?? [])];
    this.tolerations = [...(props.tolerations ?? [])];
    this.prioritizers = [...(props.prioritizers ?? [])];
    this.decisionGroups = [...(props.decisionGroups ?? [])];
  }

  get placementReference(): PlacementReference {
    return { namespace: this.namespace, name: this.name };
  }

  /** Adds a set whose clusters may be selected. */
  addClusterSet(set: IManagedClusterSet): void {
    this.clusterSets.push(set);
  }

  /** Adds a predicate. Clusters that match it may be selected, too. */
  addPredicate(predicate: ClusterPredicate): void {
    this.predicates.push(predicate);
  }

  /** Adds a toleration. */
  addToleration(toleration: Toleration): void {
    this.tolerations.push(toleration);
  }

  /** Adds a prioritizer. */
  addPrioritizer(prioritizer: Prioritizer): void {
    this.prioritizers.push(prioritizer);
  }

  /** Adds a group after the existing ones. */
  addDecisionGroup(group: DecisionGroup): void {
    this.decisionGroups.push(group);
  }

  /**
   * Returns the selection as written in the manifest.
   *
   * @internal
   */
  writtenSpec(): PlacementV1beta1Spec {
    return this.toSpec();
  }

  /** @internal */
  protected override toSpec(): PlacementV1beta1Spec {
    return defined({
      clusterSets: unlessEmpty(this.clusterSets.map((set) => set.clusterSetName)),
      numberOfClusters: this.numberOfClusters,
      predicates: unlessEmpty(this.predicates.map(toPredicate)),
      tolerations: unlessEmpty(this.tolerations.map(({ toleration }) => toleration)),
      prioritizerPolicy: this.prioritizerPolicy(),
      decisionStrategy: this.decisionStrategy(),
    });
  }

  private prioritizerPolicy(): PlacementV1beta1Spec['prioritizerPolicy'] {
    const configurations = unlessEmpty(this.prioritizers.map(({ config }) => config));
    // A mode without prioritizers is valid: `Exact` then disables the hub's own, and the cluster names decide.
    if (configurations === undefined && !this.hasMode) return undefined;
    return defined({ mode: this.prioritizerMode, configurations });
  }

  private decisionStrategy(): PlacementV1beta1Spec['decisionStrategy'] {
    const decisionGroups = unlessEmpty(this.decisionGroups.map(({ group }) => group));
    const clustersPerDecisionGroup = this.clustersPerDecisionGroup;
    if (decisionGroups === undefined && clustersPerDecisionGroup === undefined) return undefined;
    return { groupStrategy: defined({ decisionGroups, clustersPerDecisionGroup }) };
  }
}

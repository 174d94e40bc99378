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

/** A Placement, wherever it is defined. */
export interface IPlacement {
  /** Its namespace and its name. */
  readonly placementReference: PlacementReference;
}

/** Names a Placement. */
export interface PlacementReference {
  readonly namespace: string;
  readonly name: string;
}

/** Which clusters a Placement selects. */
export interface PlacementProps extends NamespacedObjectProps {
  /**
   * The sets whose clusters may be selected, as far as they are bound to the namespace of the Placement.
   *
   * @default - all sets that are bound to the namespace
   */
  readonly clusterSets?: readonly IManagedClusterSet[];

  /**
   * How many clusters to select. If fewer fit, those are selected.
   *
   * @default - all that fit
   */
  readonly numberOfClusters?: number;

  /**
   * Which clusters may be selected: those for which at least one of the predicates holds.
   *
   * @default - all clusters of the sets
   */
  readonly predicates?: readonly ClusterPredicate[];

  /**
   * The taints that do not keep clusters from being selected.
   *
   * @default - none
   */
  readonly tolerations?: readonly Toleration[];

  /**
   * What makes one cluster better than another where `numberOfClusters` leaves a choice.
   *
   * @default - none but those of the mode
   */
  readonly prioritizers?: readonly Prioritizer[];

  /**
   * Whether the prioritizers come on top of the hub's own, which are Balance and Steady with weight 1, or
   * instead.
   *
   * @default 'Additive'
   */
  readonly prioritizerMode?: 'Additive' | 'Exact';

  /**
   * The groups of the selected clusters that have names, in this order. The clusters of no group come after
   * them.
   *
   * @default - none
   */
  readonly decisionGroups?: readonly DecisionGroup[];

  /**
   * The greatest size of a group. What is more goes into a further group; the unnamed groups have this size.
   *
   * @default - groups of any size
   */
  readonly clustersPerDecisionGroup?: number | Percent;
}

/**
 * Selects managed clusters.
 *
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/
 */
export class Placement extends NamespacedObject implements IPlacement {
  /** A Placement that is defined elsewhere. */
  static reference(namespace: string, name: string): IPlacement {
    return { placementReference: { namespace, name } };
  }

  /** How many clusters are selected; undefined for all that fit. */
  readonly numberOfClusters: number | undefined;
  /** Whether the hub's own prioritizers count. */
  readonly prioritizerMode: 'Additive' | 'Exact';

  /** The greatest size of a group; undefined for any size. */
  readonly clustersPerDecisionGroup: number | Percent | undefined;

  private readonly hasMode: boolean;
  private readonly clusterSets: IManagedClusterSet[];
  private readonly predicates: ClusterPredicate[];
  private readonly tolerations: Toleration[];
  private readonly prioritizers: Prioritizer[];
  private readonly decisionGroups: DecisionGroup[];

  constructor(scope: Construct, id: string, props: PlacementProps = {}) {
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

  /** Lets clusters of a further set be selected. */
  addClusterSet(set: IManagedClusterSet): void {
    this.clusterSets.push(set);
  }

  /** Lets clusters be selected for which this predicate holds, too. */
  addPredicate(predicate: ClusterPredicate): void {
    this.predicates.push(predicate);
  }

  /** Tolerates a further taint. */
  addToleration(toleration: Toleration): void {
    this.tolerations.push(toleration);
  }

  /** Takes a further score into account. */
  addPrioritizer(prioritizer: Prioritizer): void {
    this.prioritizers.push(prioritizer);
  }

  /** Adds a group after the ones that there are. */
  addDecisionGroup(group: DecisionGroup): void {
    this.decisionGroups.push(group);
  }

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
    // A mode without prioritizers is a choice too: with `Exact` the hub's are off, and the names decide.
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

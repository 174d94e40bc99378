import type { PlacementV1beta1DecisionGroup } from '../schemas/types.gen.ts';
import type { ClusterSelector } from './cluster-predicate.ts';
import { refuseEmpty, toGroupClusterSelector } from './cluster-predicate.ts';

/**
 * A named group of the clusters that a Placement selects. A rollout can change the group first.
 *
 * @example
 * const canary = DecisionGroup.named('canary', { labels: { canary: 'true' } });
 * new Placement(chart, 'everywhere', { decisionGroups: [canary], clustersPerDecisionGroup: '20%' });
 *
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#decision-strategy
 */
export class DecisionGroup {
  /**
   * Returns the group of the selected clusters that match the selector. A cluster that matches several groups is in
   * the first of them. The name must have 2 to 63 characters.
   */
  static named(name: string, selector: ClusterSelector): DecisionGroup {
    refuseEmpty(selector, `the decision group ${name}`);
    return new DecisionGroup({ groupName: name, groupClusterSelector: toGroupClusterSelector(selector) });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'DecisionGroup';

  /**
   * Returns the group as written in a Placement.
   *
   * @internal
   */
  readonly group: PlacementV1beta1DecisionGroup;

  private constructor(group: PlacementV1beta1DecisionGroup) {
    this.group = group;
  }
}

import type { PlacementV1beta1DecisionGroup } from '../schemas/types.gen.ts';
import type { ClusterSelector } from './cluster-predicate.ts';
import { toGroupClusterSelector } from './cluster-predicate.ts';

/**
 * Some of the clusters that a Placement selects, under a name. A rollout can take the group first.
 *
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#decision-strategy
 */
export class DecisionGroup {
  /**
   * The selected clusters that the selector names too. A cluster that several groups select is in the first
   * of them. A name has 2 to 63 characters.
   */
  static named(name: string, selector: ClusterSelector): DecisionGroup {
    return new DecisionGroup({ groupName: name, groupClusterSelector: toGroupClusterSelector(selector) });
  }

  /** As a Placement writes it. */
  readonly group: PlacementV1beta1DecisionGroup;

  private constructor(group: PlacementV1beta1DecisionGroup) {
    this.group = group;
  }
}

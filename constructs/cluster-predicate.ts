import type {
  PlacementV1beta1ClusterPredicate,
  PlacementV1beta1GroupClusterSelector,
} from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { SelectorLike } from './selector.ts';
import { toClaimSelector, toLabelSelector } from './selector.ts';

/** Which clusters: those that the labels and the claims select. */
export interface ClusterSelector {
  /**
   * Selects by the labels of the ManagedCluster.
   *
   * @default - clusters with any labels
   */
  readonly labels?: SelectorLike;

  /**
   * Selects by the claims that the cluster makes about itself, such as its platform. Only claims whose value
   * is a legal label value can be named; others need `exists` or CEL.
   *
   * @default - clusters with any claims
   * @see https://open-cluster-management.io/docs/concepts/cluster-inventory/clusterclaim/
   */
  readonly claims?: SelectorLike;
}

/**
 * Which clusters a Placement may select: those for which the labels, the claims and every CEL expression
 * hold.
 */
export interface ClusterPredicate extends ClusterSelector {
  /**
   * CEL expressions over `managedCluster`, each of which must be true. An expression that fails for a cluster
   * is not true for it. See `cel` for putting values into an expression.
   *
   * @default - none
   * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#celselector
   */
  readonly cel?: readonly string[];
}

/** As a Placement writes a predicate. */
export function toPredicate(predicate: ClusterPredicate): PlacementV1beta1ClusterPredicate {
  const celExpressions = unlessEmpty(predicate.cel ?? []);
  return {
    requiredClusterSelector: defined({
      ...toGroupClusterSelector(predicate),
      celSelector: celExpressions && { celExpressions },
    }),
  };
}

/** As a Placement writes the selector of a decision group. */
export function toGroupClusterSelector(selector: ClusterSelector): PlacementV1beta1GroupClusterSelector {
  return defined({
    labelSelector: selector.labels && toLabelSelector(selector.labels),
    claimSelector: selector.claims && toClaimSelector(selector.claims),
  });
}

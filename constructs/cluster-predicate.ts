import type {
  PlacementV1beta1ClusterPredicate,
  PlacementV1beta1GroupClusterSelector,
} from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import { PropertyError } from './property-error.ts';
import type { SelectorLike } from './selector.ts';
import { isSelector, toClaimSelector, toLabelSelector } from './selector.ts';

/** Selects clusters by labels and claims. */
export interface ClusterSelector {
  /**
   * Selects by the labels of the ManagedCluster.
   *
   * @default - clusters with any labels
   */
  readonly labels?: SelectorLike;

  /**
   * Selects by the claims that the cluster reports about itself, such as its platform. Only claims whose value is a
   * valid label value can be compared; use `exists` or CEL for others.
   *
   * @default - clusters with any claims
   * @see https://open-cluster-management.io/docs/concepts/cluster-inventory/clusterclaim/
   */
  readonly claims?: SelectorLike;
}

/** A predicate of a Placement: the labels, the claims and every CEL expression must match. */
export interface ClusterPredicate extends ClusterSelector {
  /**
   * CEL expressions over `managedCluster`. All must be true. An expression that fails for a cluster is not true for
   * it. Use `cel` to insert values into an expression.
   *
   * @default - none
   * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/#celselector
   */
  readonly cel?: readonly string[];
}

/** Returns the predicate as written in a Placement. */
export function toPredicate(predicate: ClusterPredicate): PlacementV1beta1ClusterPredicate {
  const celExpressions = unlessEmpty(predicate.cel ?? []);
  if (celExpressions === undefined) refuseEmpty(predicate, 'a predicate');
  return {
    requiredClusterSelector: defined({
      ...toGroupClusterSelector(predicate),
      celSelector: celExpressions && { celExpressions },
    }),
  };
}

/** Returns the selector of a decision group as written in a Placement. */
export function toGroupClusterSelector(selector: ClusterSelector): PlacementV1beta1GroupClusterSelector {
  return defined({
    labelSelector: selector.labels && toLabelSelector(selector.labels),
    claimSelector: selector.claims && toClaimSelector(selector.claims),
  });
}

/**
 * An empty selector selects all clusters. `{}` and `Selector.all()` say so; conditions that turn out to be empty do not.
 *
 * @throws {PropertyError} if something was written, and nothing of it selects
 */
export function refuseEmpty(selector: ClusterSelector, what: string): void {
  const { labels, claims } = selector;
  if (Object.keys(selector).length === 0) return;
  if (
    [labels, claims].some((each) => each !== undefined && (isSelector(each) || Object.keys(each).length > 0))
  )
    return;
  throw new PropertyError(
    'value',
    `${what} has only empty conditions (${Object.keys(selector).join(', ')}), and would select all clusters`,
    'write {} or Selector.all() if it should',
  );
}

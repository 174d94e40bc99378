import type {
  PlacementV1beta1ClusterPredicate,
  PlacementV1beta1DecisionGroup,
  PlacementV1beta1GroupClusterSelector,
  PlacementV1beta1Spec,
} from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import { Placement, type IPlacement } from './placement.ts';
import { PropertyError } from './property-error.ts';
import type { DecisionGroupReference } from './rollout.ts';
import { rememberCaller } from './source.ts';

/**
 * Returns a Placement that selects the clusters of one decision group of another. It follows later changes of that Placement, and exists
 * once, also for several add-ons.
 *
 * @throws {PropertyError} if a Placement of the group would select other clusters than the group
 */
export function placementOfGroup(placement: IPlacement, reference: DecisionGroupReference): Placement {
  if (!isDefinedHere(placement))
    throw new PropertyError(
      'value',
      'Rollout.promoted with hub delivery divides a Placement by its groups, and this one is defined elsewhere',
      'define it in the app, or write one placement per group',
    );
  const id = `group-${typeof reference === 'object' ? reference.group.groupName : reference}`;
  const existing = placement.node.tryFindChild(id) as PlacementOfGroup | undefined;
  if (existing !== undefined) return existing;
  const created = new PlacementOfGroup(placement, id, placement, reference);
  rememberCaller(created);
  return created;
}

/** The operator instanceof is true for all objects of cdk8s. */
function isDefinedHere(placement: IPlacement): placement is Placement {
  return 'writtenSpec' in placement;
}

/** A Placement for the clusters of one decision group of another Placement. */
class PlacementOfGroup extends Placement {
  readonly #whole: Placement;
  readonly #reference: DecisionGroupReference;

  constructor(scope: Placement, id: string, whole: Placement, reference: DecisionGroupReference) {
    const { groupName } = groupOf(whole, reference);
    super(scope, id, { name: `${whole.name}-${groupName}`, namespace: whole.namespace });
    this.#whole = whole;
    this.#reference = reference;
  }

  /** @internal */
  protected override toSpec(): PlacementV1beta1Spec {
    const { decisionStrategy: _groups, ...spec } = this.#whole.writtenSpec();
    if (spec.numberOfClusters !== undefined)
      throw new PropertyError(
        'value',
        'Rollout.promoted with hub delivery divides a Placement by its groups, and numberOfClusters would then count each of them',
        'remove numberOfClusters, or write one placement per group',
      );
    const { groupClusterSelector } = groupOf(this.#whole, this.#reference);
    return {
      ...spec,
      predicates: (spec.predicates ?? [{}]).map((predicate) => withSelector(predicate, groupClusterSelector)),
    };
  }
}

function groupOf(placement: Placement, reference: DecisionGroupReference): PlacementV1beta1DecisionGroup {
  const groups = placement.writtenSpec().decisionStrategy?.groupStrategy?.decisionGroups ?? [];
  const name = typeof reference === 'object' ? reference.group.groupName : reference;
  const group = typeof name === 'number' ? groups[name] : groups.find(({ groupName }) => groupName === name);
  if (group !== undefined) return group;
  throw new PropertyError(
    'value',
    `Placement '${placement.name}' has no decision group ${JSON.stringify(name)}`,
    'add it to decisionGroups of the Placement',
  );
}

/** Returns a predicate that selects clusters which match both. */
function withSelector(
  { requiredClusterSelector: own = {} }: PlacementV1beta1ClusterPredicate,
  { labelSelector: labels = {}, claimSelector: claims = {} }: PlacementV1beta1GroupClusterSelector = {},
): PlacementV1beta1ClusterPredicate {
  const { labelSelector: ownLabels = {}, claimSelector: ownClaims = {} } = own;
  const both = Object.entries(labels.matchLabels ?? {});
  // A label can be in `matchLabels` once.
  const repeated = both.filter(([key]) => ownLabels.matchLabels?.[key] !== undefined);
  const matchLabels = { ...Object.fromEntries(both), ...ownLabels.matchLabels };
  const matchExpressions = [
    ...(ownLabels.matchExpressions ?? []),
    ...(labels.matchExpressions ?? []),
    ...repeated.map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })),
  ];
  const claimExpressions = [...(ownClaims.matchExpressions ?? []), ...(claims.matchExpressions ?? [])];
  const labelSelector = defined({
    matchLabels: Object.keys(matchLabels).length === 0 ? undefined : matchLabels,
    matchExpressions: unlessEmpty(matchExpressions),
  });
  return {
    requiredClusterSelector: defined({
      ...own,
      labelSelector: Object.keys(labelSelector).length === 0 ? undefined : labelSelector,
      claimSelector: claimExpressions.length === 0 ? undefined : { matchExpressions: claimExpressions },
    }),
  };
}

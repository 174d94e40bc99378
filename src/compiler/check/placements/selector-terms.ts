import type { LabelSelector, PlacementV1beta1Spec } from '../../../../schemas/types.gen.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { compileLabelSelector, type LabelRequirement } from '../../place/label-selector.ts';

/** One condition on labels or claims of a placement. */
export interface SelectorTerm {
  readonly kind: 'label' | 'claim';
  readonly requirement: LabelRequirement;
  /** The path in the placement. */
  readonly path: FieldPath;
}

/** A cluster selector of a placement. */
export interface PlacementSelector {
  readonly labelSelector?: LabelSelector;
  readonly claimSelector?: Pick<LabelSelector, 'matchExpressions'>;
  /** The path in the placement. */
  readonly path: FieldPath;
}

const groupsPath: FieldPath = ['spec', 'decisionStrategy', 'groupStrategy', 'decisionGroups'];

/** Returns the selectors of all predicates and decision groups of a placement. */
export function* placementSelectors({
  predicates = [],
  decisionStrategy,
}: PlacementV1beta1Spec): Iterable<PlacementSelector> {
  for (const [index, { requiredClusterSelector }] of predicates.entries()) {
    yield { ...requiredClusterSelector, path: ['spec', 'predicates', index, 'requiredClusterSelector'] };
  }
  const { decisionGroups = [] } = decisionStrategy?.groupStrategy ?? {};
  for (const [index, { groupClusterSelector }] of decisionGroups.entries()) {
    yield { ...groupClusterSelector, path: [...groupsPath, index, 'groupClusterSelector'] };
  }
}

/** Returns the conditions of all these selectors. Selectors that the hub rejects have none. */
export function* selectorTerms(spec: PlacementV1beta1Spec): Iterable<SelectorTerm> {
  for (const { labelSelector, claimSelector, path } of placementSelectors(spec)) {
    yield* requirementsOf('label', labelSelector, [...path, 'labelSelector']);
    yield* requirementsOf('claim', claimSelector, [...path, 'claimSelector']);
  }
}

function* requirementsOf(
  kind: SelectorTerm['kind'],
  source: LabelSelector | undefined,
  path: FieldPath,
): Iterable<SelectorTerm> {
  const compiled = compileLabelSelector(source);
  if ('error' in compiled) return;
  for (const requirement of compiled.requirements)
    yield { kind, requirement, path: [...path, ...requirement.path] };
}

import type { LabelSelector, PlacementV1beta1Spec } from '../../schemas/types.gen.ts';
import type { FieldPath } from '../field-path.ts';
import { compileLabelSelector, type LabelRequirement } from '../place/label-selector.ts';

/** One condition on labels or claims, as a placement writes it. */
export interface SelectorTerm {
  readonly kind: 'label' | 'claim';
  readonly requirement: LabelRequirement;
  /** In the placement. */
  readonly path: FieldPath;
}

interface ClusterSelectorSource {
  readonly labelSelector?: LabelSelector;
  readonly claimSelector?: Pick<LabelSelector, 'matchExpressions'>;
}

const groupsPath: FieldPath = ['spec', 'decisionStrategy', 'groupStrategy', 'decisionGroups'];

/** The conditions of all predicates and decision groups of a placement. Selectors that the hub refuses have none. */
export function* selectorTerms({
  predicates = [],
  decisionStrategy,
}: PlacementV1beta1Spec): Iterable<SelectorTerm> {
  for (const [index, { requiredClusterSelector }] of predicates.entries()) {
    yield* termsOf(requiredClusterSelector ?? {}, ['spec', 'predicates', index, 'requiredClusterSelector']);
  }
  for (const [index, { groupClusterSelector }] of (
    decisionStrategy?.groupStrategy?.decisionGroups ?? []
  ).entries()) {
    yield* termsOf(groupClusterSelector, [...groupsPath, index, 'groupClusterSelector']);
  }
}

/** The conditions of one selector of clusters. */
function* termsOf(
  { labelSelector, claimSelector }: ClusterSelectorSource,
  path: FieldPath,
): Iterable<SelectorTerm> {
  yield* requirementsOf('label', labelSelector, [...path, 'labelSelector']);
  yield* requirementsOf('claim', claimSelector, [...path, 'claimSelector']);
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

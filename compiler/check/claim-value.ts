import type { LabelSelectorRequirement, PlacementV1beta1Spec } from '../../schemas/types.gen.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { FieldPath } from '../field-path.ts';
import { labelValueErrors } from '../name-errors.ts';
import { pointAt } from '../place/point-at.ts';
import type { Rule } from './rule.ts';

/** A claim selector with a value that is no label value: claims may have it, selectors may not name it. */
export const claimValue: Rule = function* ({ inventory }): Iterable<Diagnostic> {
  for (const placement of inventory.placements.values()) {
    for (const { path, requirements } of claimSelectors(placement.object.spec)) {
      for (const [index, { values = [] }] of requirements.entries()) {
        for (const [position, value] of values.entries()) {
          if (labelValueErrors(value).length === 0) continue;
          yield {
            code: 'FW7006',
            severity: 'error',
            message: `"${value}" is no label value, so no claim selector can name it and the hub finds the placement misconfigured`,
            ...pointAt(placement, [...path, index, 'values', position]),
            hint: 'compare the claim with a CEL expression: managedCluster.status.clusterClaims.exists(c, c.name == "…" && c.value == "…")',
          };
        }
      }
    }
  }
};

interface ClaimSelector {
  readonly path: FieldPath;
  readonly requirements: readonly LabelSelectorRequirement[];
}

function* claimSelectors({
  predicates = [],
  decisionStrategy,
}: PlacementV1beta1Spec): Iterable<ClaimSelector> {
  for (const [index, { requiredClusterSelector }] of predicates.entries()) {
    const path = [
      'spec',
      'predicates',
      index,
      'requiredClusterSelector',
      'claimSelector',
      'matchExpressions',
    ];
    yield { path, requirements: requiredClusterSelector?.claimSelector?.matchExpressions ?? [] };
  }
  const groups = ['spec', 'decisionStrategy', 'groupStrategy', 'decisionGroups'];
  for (const [index, { groupClusterSelector }] of (
    decisionStrategy?.groupStrategy?.decisionGroups ?? []
  ).entries()) {
    const path = [...groups, index, 'groupClusterSelector', 'claimSelector', 'matchExpressions'];
    yield { path, requirements: groupClusterSelector.claimSelector?.matchExpressions ?? [] };
  }
}

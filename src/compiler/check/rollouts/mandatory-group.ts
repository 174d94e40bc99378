import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { diagnostic, type FindingReference } from '../../model/diagnostic.ts';
import { formatFieldPath } from '../../model/field-path.ts';
import { referenceTo, type Admitted } from '../../model/inventory.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { didYouMean } from '../../model/suggestion.ts';
import { groupWords, pacedPlacements } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/** Reports mandatory decision groups that the placement does not have. The hub ignores them. */
export const mandatoryGroup: Rule = {
  codes: ['FW7204'],
  *check(input) {
    for (const { node, at } of pacedPlacements(input)) {
      const { type, mandatoryGroups } = node.strategy;
      for (const [index, { groupName = '', groupIndex = 0 }] of mandatoryGroups.entries()) {
        const exists = node.groups.some((group) =>
          groupName === '' ? group.index === groupIndex : group.name === groupName,
        );
        if (exists) continue;
        yield diagnostic('FW7204', {
          message: `placement "${node.placement}" has no decision group ${groupName === '' ? `with index ${groupIndex}` : `"${groupName}"`}, so the hub ignores this entry and no cluster goes first`,
          ...at(partOf[type], 'mandatoryDecisionGroups', index),
          hint: groupHint(groupName, node.groups),
          explainedBy: emptyGroups(input.inventory.placements.get(node.placement), groupName),
        });
      }
    }
  },
};

/** Returns the findings about the groups that the Placement declares: the group of that name, or all if it is meant by its index. */
function emptyGroups(
  placement: Admitted<PlacementV1beta1> | undefined,
  groupName: string,
): FindingReference[] {
  if (placement === undefined) return [];
  const declared = placement.object.spec.decisionStrategy?.groupStrategy?.decisionGroups ?? [];
  return declared.flatMap((group, index) => {
    if (groupName !== '' && group.groupName !== groupName) return [];
    const path = ['spec', 'decisionStrategy', 'groupStrategy', 'decisionGroups', index];
    return [{ codes: ['FW7020'], object: referenceTo(placement.object), path: formatFieldPath(path) }];
  });
}

/** Returns the replacement to suggest for a missing group. */
function groupHint(name: string, groups: readonly Parameters<typeof groupWords>[0][]): string {
  const names = groups.flatMap((group) => (group.name === '' ? [] : [group.name]));
  const last = groups.at(-1);
  if (name !== '' && names.length > 0)
    return didYouMean(name, names, 'the groups of the placement are') ?? 'name a group of the placement';
  return last === undefined
    ? 'the placement has no decision groups: add some, or remove the entry'
    : `name a group of the placement; its last is ${groupWords(last)}`;
}

import { diagnostic } from '../../model/diagnostic.ts';
import { partOf } from '../../rollout/strategy.ts';
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
        });
      }
    }
  },
};

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

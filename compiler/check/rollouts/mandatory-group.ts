import type { Diagnostic } from '../../diagnostic.ts';
import { partOf } from '../../rollout/strategy.ts';
import { groupWords, pacedPlacements } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/** Mandatory decision groups that the placement does not have: the hub ignores them. */
export const mandatoryGroup: Rule = function* (input): Iterable<Diagnostic> {
  for (const { node, at } of pacedPlacements(input)) {
    const { type, mandatoryGroups } = node.strategy;
    for (const [index, { groupName = '', groupIndex = 0 }] of mandatoryGroups.entries()) {
      const exists = node.groups.some((group) =>
        groupName === '' ? group.index === groupIndex : group.name === groupName,
      );
      if (exists) continue;
      const last = node.groups.at(-1);
      yield {
        code: 'FW7204',
        severity: 'warning',
        message: `placement "${node.placement}" has no decision group ${groupName === '' ? `with index ${groupIndex}` : `"${groupName}"`}, so the hub ignores this entry and nobody goes first`,
        ...at(partOf[type], 'mandatoryDecisionGroups', index),
        hint:
          last === undefined
            ? 'name a group of the placement'
            : `name a group of the placement; its last is ${groupWords(last)}`,
      };
    }
  }
};

import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports named decision groups without selected clusters. The hub omits such a group and renumbers the groups after it. */
export const emptyDecisionGroup: Rule = {
  codes: ['FW7020'],
  *check({ decisions }) {
    for (const {
      placement,
      groups,
      selected,
      misconfiguration,
      reasoning,
    } of decisions.byPlacement.values()) {
      if (reasoning === undefined || misconfiguration !== undefined || selected.length === 0) continue;
      const present = new Set(groups.map(({ name }) => name));
      const named = placement.object.spec.decisionStrategy?.groupStrategy?.decisionGroups ?? [];
      for (const [index, { groupName }] of named.entries()) {
        if (present.has(groupName)) continue;
        const at = pointAt(placement, ['spec', 'decisionStrategy', 'groupStrategy', 'decisionGroups', index]);
        yield diagnostic('FW7020', {
          message: `no selected cluster belongs to decision group "${groupName}", so the hub does not create the group, and the index of each later group decreases by one`,
          ...at,
          hint: 'refer to decision groups by name, not by index',
          causedBy: [at.object],
          explainedBy: [{ codes: ['FW7007'], object: at.object, path: at.path }],
        });
      }
    }
  },
};

import { diagnostic } from '../../model/diagnostic.ts';
import { unavailableTaint, unreachableTaint } from '../../place/clusters.ts';
import { pointAt } from '../../model/point-at.ts';
import { isMeant } from '../../place/taints.ts';
import { addOnsByPlacement, addOnWords } from './installations.ts';
import type { Rule } from '../rule.ts';

/** Reports placements that drop a cluster when it becomes unreachable, and that add-ons depend on. */
export const outage: Rule = {
  codes: ['FW7008'],
  *check(input) {
    const addOns = addOnsByPlacement(input);
    for (const [key, { placement }] of input.decisions.byPlacement) {
      const hanging = addOns.get(key);
      if (hanging === undefined) continue;
      const tolerations = placement.object.spec.tolerations ?? [];
      const fatal = [unreachableTaint, unavailableTaint].filter(
        (taint) => !tolerations.some((toleration) => isMeant({ key: taint, effect: 'NoSelect' }, toleration)),
      );
      if (fatal.length === 0) continue;
      const taints = fatal.map((taint) => taint.slice(taint.indexOf('/') + 1)).join(' or ');
      yield diagnostic('FW7008', {
        message: `a cluster that becomes ${taints} leaves this placement, and the hub uninstalls ${addOnWords(hanging)} there`,
        ...pointAt(placement, ['spec', 'tolerations']),
        hint: `tolerate ${fatal.join(' and ')} with operator Exists`,
      });
    }
  },
};

import { diagnostic } from '../../model/diagnostic.ts';
import { pageSize } from '../../place/decision-objects.ts';
import { pointAt } from '../../model/point-at.ts';
import { addOnsByPlacement, addOnWords } from './installations.ts';
import type { Rule } from '../rule.ts';

/** Reports decisions of several pages, between which clusters move, and that add-ons depend on. */
export const pageShift: Rule = {
  codes: ['FW7009'],
  *check(input) {
    const addOns = addOnsByPlacement(input);
    for (const [key, { placement, selected, objects }] of input.decisions.byPlacement) {
      const hanging = addOns.get(key);
      if (hanging === undefined || selected.length <= pageSize) continue;
      yield diagnostic('FW7009', {
        message: `the ${selected.length} clusters fill ${objects.length} PlacementDecisions: a cluster that moves to another one is briefly in neither, and the hub may uninstall ${addOnWords(hanging)} there`,
        ...pointAt(placement, ['spec']),
        hint: `split the clusters into placements that select at most ${pageSize} each`,
      });
    }
  },
};

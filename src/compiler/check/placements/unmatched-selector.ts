import { diagnostic, type Diagnostic, type FindingReference } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { listed, quote } from '../../model/words.ts';
import { addOnLabelPrefix } from './add-on-label.ts';
import { fleetValues, type FleetValues } from './fleet-values.ts';
import type { Rule } from '../rule.ts';
import { selectorTerms, type SelectorTerm } from './selector-terms.ts';

/** Reports conditions of placements that no cluster of the fleet satisfies, such as a label value with a typing error. */
export const unmatchedSelector: Rule = {
  codes: ['FW7007'],
  *check({ decisions }) {
    if (decisions.scheduler.index.size === 0) return;
    const values = fleetValues(decisions.scheduler.index);
    for (const decision of decisions.byPlacement.values()) {
      const firstByFact = new Map<string, FindingReference>();
      for (const term of selectorTerms(decision.placement.object.spec)) {
        // the hub adds such a label after the add-on is installed
        if (term.requirement.key.startsWith(addOnLabelPrefix)) continue;
        if (values.isMet(term.kind, term.requirement)) continue;
        const at = pointAt(decision.placement, term.path);
        const finding = unmatched(at, term, values);
        const fact = missingFact(term, values) ?? finding.message;
        const first = firstByFact.get(fact);
        if (first === undefined)
          firstByFact.set(fact, { codes: ['FW7007'], object: at.object, path: at.path });
        yield { ...finding, ...(first !== undefined && { explainedBy: [first] }) };
      }
    }
  },
};

/** Returns the label or claim that no cluster has with any value: all findings about its values have one cause. */
function missingFact({ kind, requirement }: SelectorTerm, values: FleetValues): string | undefined {
  return values.of(kind, requirement.key).length === 0 ? `${kind} ${requirement.key}` : undefined;
}

function unmatched(at: ReturnType<typeof pointAt>, term: SelectorTerm, values: FleetValues): Diagnostic {
  const { kind, requirement } = term;
  const { key, operator } = requirement;
  const wanted = requirement.values.map(quote).join(' or ');
  const negative = operator === 'NotIn' || operator === 'DoesNotExist';
  const what =
    operator === 'Exists' || operator === 'DoesNotExist'
      ? `${kind} ${key}`
      : `${kind} ${key} with the value ${wanted}`;
  return diagnostic('FW7007', {
    message: negative
      ? `every cluster of the fleet has ${what}, so nothing matches`
      : `no cluster of the fleet has ${what}, so nothing matches`,
    ...at,
    hint: hintOf(term, values),
  });
}

/** Returns the key or the values that were probably meant, and what else can be written. */
function hintOf(
  { kind, requirement: { key, operator, values: wanted } }: SelectorTerm,
  values: FleetValues,
): string {
  const existing = values.of(kind, key);
  if (existing.length === 0) {
    const meant = closest(key, values.keys(kind));
    const correction = `correct the key, or add the ${kind} to clusters`;
    return meant === undefined ? correction : `did you mean ${quote(meant)}? Otherwise ${correction}`;
  }
  const meant = operator === 'In' ? wanted.flatMap((value) => closest(value, existing) ?? []) : [];
  const shown = existing.slice(0, 5).map(quote).join(', ') + (existing.length > 5 ? ', …' : '');
  return meant.length === 0
    ? `the values in the fleet are ${shown}`
    : `did you mean ${listed([...new Set(meant)], 'or')}? The values in the fleet are ${shown}`;
}

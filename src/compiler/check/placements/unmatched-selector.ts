import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { closestNames } from '../../../base/collections/closest-names.ts';
import { diagnostic, type Diagnostic, type FindingReference } from '../../model/diagnostic.ts';
import type { Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { listed, quote } from '../../model/words.ts';
import { addOnLabelPrefix } from './add-on-label.ts';
import { fleetValues, type FleetValues } from './fleet-values.ts';
import type { Rule } from '../rule.ts';
import { selectorTerms, type SelectorTerm } from './selector-terms.ts';

/**
 * Reports conditions of placements that no cluster of the fleet satisfies, such as a label value with a typing error, and values of lists
 * that no cluster has.
 */
export const unmatchedSelector: Rule = {
  codes: ['FW7007', 'FW7034'],
  *check({ decisions }) {
    if (decisions.scheduler.index.size === 0) return;
    const values = fleetValues(decisions.scheduler.index);
    for (const { placement } of decisions.byPlacement.values()) {
      const firstByFact = new Map<string, FindingReference>();
      for (const term of selectorTerms(placement.object.spec)) {
        // the hub adds such a label after the add-on is installed
        if (term.requirement.key.startsWith(addOnLabelPrefix)) continue;
        const isMet = values.isMet(term.kind, term.requirement);
        const findings = isMet ? unusedValues(placement, term, values) : [unmatched(placement, term, values)];
        for (const finding of findings) {
          const fact = (isMet ? undefined : missingFact(term, values)) ?? finding.message;
          const first = firstByFact.get(fact);
          const { code, object, path = '' } = finding;
          if (first === undefined && object !== undefined)
            firstByFact.set(fact, { codes: [code], object, path });
          yield { ...finding, ...(first !== undefined && { explainedBy: [first] }) };
        }
      }
    }
  },
};

/** Returns the label or claim that no cluster has with any value: all findings about its values have one cause. */
function missingFact({ kind, requirement }: SelectorTerm, values: FleetValues): string | undefined {
  return values.of(kind, requirement.key).length === 0 ? `${kind} ${requirement.key}` : undefined;
}

function unmatched(
  placement: Admitted<PlacementV1beta1>,
  term: SelectorTerm,
  values: FleetValues,
): Diagnostic {
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
    ...pointAt(placement, term.path),
    hint: hintOf(term, values),
  });
}

/**
 * Returns the findings about the values of a list that no cluster has, although clusters have other values of it. A fleet can have no
 * cluster with a value yet. So it is a mistake only if it is nearly the value of a cluster that is not in the list.
 */
function unusedValues(
  placement: Admitted<PlacementV1beta1>,
  { kind, requirement: { key, operator, values: listedValues }, path }: SelectorTerm,
  values: FleetValues,
): readonly Diagnostic[] {
  if (operator !== 'In' || listedValues.length < 2) return [];
  const existing = values.of(kind, key);
  // Such a list can name each of 10,000 clusters.
  const [isExisting, isListed] = [new Set(existing), new Set(listedValues)];
  const unused = [...isListed].filter((value) => !isExisting.has(value));
  const notListed = unused.length === 0 ? [] : existing.filter((value) => !isListed.has(value));
  const findings: Diagnostic[] = [];
  const notYet: string[] = [];
  for (const value of unused) {
    const meant = misspelled(value, notListed);
    if (meant === undefined) {
      notYet.push(value);
      continue;
    }
    findings.push(
      diagnostic('FW7007', {
        message: `no cluster of the fleet has ${kind} ${key} with the value ${quote(value)}, so this value of the list selects nothing`,
        ...pointAt(placement, [...path, 'values', listedValues.indexOf(value)]),
        hint: `did you mean ${quote(meant)}? The values in the fleet are ${shownValues(existing)}`,
      }),
    );
  }
  if (notYet.length > 0)
    findings.push(
      diagnostic('FW7034', {
        message: `no cluster of the fleet has ${kind} ${key} with the value ${anyOf(notYet)} yet, so ${notYet.length === 1 ? 'this value of the list selects' : 'these values of the list select'} nothing`,
        ...pointAt(placement, [...path, 'values', listedValues.indexOf(notYet[0] ?? '')]),
        hint: `the values in the fleet are ${shownValues(existing)}`,
      }),
    );
  return findings;
}

function anyOf(values: readonly string[]): string {
  return values.length <= mostShown
    ? listed(values, 'or')
    : `${values.slice(0, mostShown).map(quote).join(', ')} or ${values.length - mostShown} more`;
}

/** Returns the value of which another one is probably a misspelling. Regions and versions that differ in a digit are different ones. */
function misspelled(value: string, candidates: readonly string[]): string | undefined {
  const withoutDigits = (text: string): string => text.replaceAll(/\d+/g, '0').toLowerCase();
  const written = value.toLowerCase();
  // One mistake leaves the first or the last half as it is: few values have to be compared letter by letter.
  const half = Math.floor((value.length - 1) / 2);
  const [first, last] = [written.slice(0, half), written.slice(written.length - half)];
  const others = candidates.filter((candidate) => {
    if (Math.abs(candidate.length - value.length) > 1) return false;
    const other = candidate.toLowerCase();
    if (!other.startsWith(first) && !other.endsWith(last)) return false;
    return withoutDigits(candidate) !== withoutDigits(value) || other === written;
  });
  return closestNames(value, others, 1)[0];
}

function shownValues(existing: readonly string[]): string {
  return existing.slice(0, mostShown).map(quote).join(', ') + (existing.length > mostShown ? ', …' : '');
}

/** The number of values that a message names. */
const mostShown = 5;

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
  const meant =
    operator === 'In' ? wanted.slice(0, mostShown).flatMap((value) => closest(value, existing) ?? []) : [];
  const shown = shownValues(existing);
  return meant.length === 0
    ? `the values in the fleet are ${shown}`
    : `did you mean ${listed([...new Set(meant)], 'or')}? The values in the fleet are ${shown}`;
}

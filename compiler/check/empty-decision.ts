import type { Diagnostic } from '../diagnostic.ts';
import type { Decision } from '../place/decision.ts';
import { pointAt } from '../place/point-at.ts';
import { addOnsByPlacement, addOnWords } from './installations.ts';
import type { Rule } from './rule.ts';

/** A placement that finds no cluster, while add-ons hang on it. Faults that say so themselves are left out. */
export const emptyDecision: Rule = function* (input): Iterable<Diagnostic> {
  const addOns = addOnsByPlacement(input);
  for (const [key, decision] of input.decisions.decisions) {
    const hanging = addOns.get(key);
    const why = hanging === undefined ? undefined : emptiness(decision);
    if (hanging === undefined || why === undefined) continue;
    yield {
      code: 'FW7010',
      severity: 'warning',
      message: `${why}, so the hub has ${addOnWords(hanging)} on no cluster of this placement`,
      ...pointAt(decision.placement, ['spec']),
      hint: 'let the clusters that you expect here be explained, or take the placement out of the install strategy',
    };
  }
};

function emptiness({ selected, misconfiguration, reasoning, placement }: Decision): string | undefined {
  if (selected.length > 0 || misconfiguration !== undefined || reasoning === undefined) return undefined;
  if (placement.object.spec.numberOfClusters === 0) return undefined;
  const { candidates, tolerated } = reasoning.scheduling;
  const { eligible, available, matching } = candidates;
  if (eligible.length === 0) return undefined;
  if (available.length === 0)
    return `${eligible.length === 1 ? 'set' : 'none of the sets'} ${listed(eligible)} has ${eligible.length === 1 ? 'no' : 'any'} clusters`;
  if (matching.length === 0)
    return `none of the ${available.length} clusters in its sets matches the predicates`;
  if (tolerated?.length === 0)
    return `none of the ${matching.length} clusters that match is without taints that it does not tolerate`;
  return undefined;
}

function listed(sets: readonly string[]): string {
  return sets.map((set) => `"${set}"`).join(', ');
}

import { diagnostic, type FindingReference } from '../../model/diagnostic.ts';
import { referenceTo, type Inventory } from '../../model/inventory.ts';
import type { Decision } from '../../place/decision.ts';
import { pointAt } from '../../model/point-at.ts';
import { addOnsByPlacement, addOnWords } from './installations.ts';
import type { Rule } from '../rule.ts';

/** Reports placements that select no cluster and that add-ons depend on. Faults with their own finding are left out. */
export const emptyDecision: Rule = {
  codes: ['FW7010'],
  *check(input) {
    const addOns = addOnsByPlacement(input);
    for (const [key, decision] of input.decisions.byPlacement) {
      const hanging = addOns.get(key);
      const why = hanging === undefined ? undefined : emptiness(decision);
      if (hanging === undefined || why === undefined) continue;
      yield diagnostic('FW7010', {
        message: `${why}, so the hub installs ${addOnWords(hanging)} on no cluster of this placement`,
        ...pointAt(decision.placement, ['spec']),
        hint: 'fleetwright explain CLUSTER ADDON explains why a cluster is not selected',
        causedBy: [referenceTo(decision.placement.object)],
        explainedBy: explanations(decision, input.inventory),
      });
    }
  },
};

/** Returns the findings about the predicates; if the sets have no clusters, those about the sets. */
function explanations(
  { placement, reasoning }: Decision,
  { managedClusterSets }: Inventory,
): FindingReference[] {
  const { available = [], eligible = [] } = reasoning?.scheduling.candidates ?? {};
  if (available.length > 0) {
    const object = referenceTo(placement.object);
    return [{ codes: ['FW7007', 'FW7022', 'FW7023'], object, path: 'spec.predicates' }];
  }
  return eligible.flatMap((name) => {
    const set = managedClusterSets.get(name);
    return set === undefined ? [] : [{ codes: ['FW7019'], object: referenceTo(set.object) }];
  });
}

function emptiness({ selected, misconfiguration, reasoning, placement }: Decision): string | undefined {
  if (selected.length > 0 || misconfiguration !== undefined || reasoning === undefined) return undefined;
  if (placement.object.spec.numberOfClusters === 0) return undefined;
  const { candidates, tolerated } = reasoning.scheduling;
  const { eligible, available, matching } = candidates;
  if (eligible.length === 0) return undefined;
  if (available.length === 0) return withoutClusters(eligible);
  if (matching.length === 0) {
    return available.length === 1
      ? 'the 1 cluster in its sets does not match the predicates'
      : `none of the ${available.length} clusters in its sets matches the predicates`;
  }
  if (tolerated?.length !== 0) return undefined;
  return matching.length === 1
    ? 'the 1 cluster that matches has taints that are not tolerated'
    : `all ${matching.length} clusters that match have taints that are not tolerated`;
}

function withoutClusters(sets: readonly string[]): string {
  const names = sets.map((set) => `"${set}"`).join(', ');
  return sets.length === 1 ? `set ${names} has no clusters` : `none of the sets ${names} has any clusters`;
}

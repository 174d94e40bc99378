import { diagnostic } from '../../model/diagnostic.ts';
import type { Elsewhere } from '../../model/elsewhere.ts';
import { orExternal } from '../../model/missing-object.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { clusterGroup } from '../../../../schemas/groups.ts';

/** Reports Placements that name a set that is not bound to their namespace, together with sets that are. */
export const unboundClusterSet: Rule = {
  codes: ['FW7002'],
  *check({ inventory, decisions }) {
    for (const { placement, reasoning } of decisions.byPlacement.values()) {
      const { bound = [], eligible = [] } = reasoning?.scheduling.candidates ?? {};
      if (eligible.length === 0) continue;
      const { metadata, spec } = placement.object;
      for (const [index, set] of (spec.clusterSets ?? []).entries()) {
        const exists = decisions.scheduler.sets.exists(set);
        if (bound.includes(set) || isExternal(inventory.elsewhere, metadata.namespace ?? '', set)) continue;
        yield diagnostic('FW7002', {
          message: exists
            ? `ManagedClusterSet "${set}" is not bound to namespace "${metadata.namespace ?? ''}", so the placement selects no cluster from it`
            : `ManagedClusterSet "${set}" does not exist, so the placement selects no cluster from it`,
          ...pointAt(placement, ['spec', 'clusterSets', index]),
          hint: exists
            ? `create the ManagedClusterSetBinding, remove the name, ${orExternal}`
            : hintForMissing(set, bound),
        });
      }
    }
  },
};

function hintForMissing(set: string, bound: readonly string[]): string {
  const meant = closest(set, bound);
  const otherwise = `create the set and its binding, correct the name, ${orExternal}`;
  return meant === undefined ? otherwise : `did you mean ${quote(meant)}? Otherwise ${otherwise}`;
}

/** Whether the set or its binding is expected outside of Git. */
function isExternal({ existence }: Elsewhere, namespace: string, name: string): boolean {
  return [
    { kind: 'ManagedClusterSet', name },
    { kind: 'ManagedClusterSetBinding', namespace, name },
  ].some((object) => existence({ group: clusterGroup, ...object }) === 'exists');
}

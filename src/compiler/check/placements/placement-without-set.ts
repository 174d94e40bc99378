import { diagnostic } from '../../model/diagnostic.ts';
import { isMeant, type Elsewhere } from '../../model/elsewhere.ts';
import { orExternal } from '../../model/missing-object.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { clusterGroup } from '../../../../schemas/groups.ts';

/** Reports Placements whose namespace has no bound set, or none of the sets in `clusterSets`. They select nothing. */
export const placementWithoutSet: Rule = {
  codes: ['FW7001'],
  *check({ inventory, decisions }) {
    for (const { placement, reasoning } of decisions.byPlacement.values()) {
      const { bound = [], eligible = [] } = reasoning?.scheduling.candidates ?? {};
      if (reasoning === undefined || eligible.length > 0) continue;
      const { namespace = '' } = placement.object.metadata;
      const named = placement.object.spec.clusterSets ?? [];
      if (isBoundElsewhere(inventory.elsewhere, namespace, named)) continue;
      yield diagnostic('FW7001', {
        message:
          bound.length === 0
            ? `namespace "${namespace}" is bound to no ManagedClusterSet, so the placement selects nothing`
            : `namespace "${namespace}" is bound to none of the sets that the placement names, so it selects nothing`,
        ...pointAt(placement, bound.length === 0 ? ['metadata', 'namespace'] : ['spec', 'clusterSets']),
        hint:
          bound.length === 0
            ? `create a ManagedClusterSetBinding in this namespace, named like an existing set, ${orExternal}`
            : `bind one of them, or use a bound set: ${bound.join(', ')}`,
      });
    }
  },
};

/** Whether one of the given sets, or any set if none is given, is bound to the namespace outside of Git. */
function isBoundElsewhere(
  { existence, external }: Elsewhere,
  namespace: string,
  sets: readonly string[],
): boolean {
  const binding = { group: clusterGroup, kind: 'ManagedClusterSetBinding', namespace };
  return sets.length > 0
    ? sets.some((name) => existence({ ...binding, name }) === 'exists')
    : external.some((entry) => isMeant({ ...entry, name: '*' }, binding));
}

import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { isMeant, type Elsewhere } from '../../model/elsewhere.ts';
import type { Admitted } from '../../model/inventory.ts';
import { orExternal } from '../../model/missing-object.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
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
      yield bound.length === 0
        ? diagnostic('FW7001', {
            message: `namespace "${namespace}" is bound to no ManagedClusterSet, so the placement selects nothing`,
            ...pointAt(placement, ['metadata', 'namespace']),
            hint: `create a ManagedClusterSetBinding in this namespace, named like an existing set, ${orExternal}`,
          })
        : withoutNamedSet(placement, named, bound);
    }
  },
};

/** Returns the finding about the sets that a placement names, none of which is bound. */
function withoutNamedSet(
  placement: Admitted<PlacementV1beta1>,
  named: readonly string[],
  bound: readonly string[],
): Diagnostic {
  const { namespace = '' } = placement.object.metadata;
  const [only = '', another] = named;
  const meant = another === undefined ? closest(only, bound) : undefined;
  const sets = another === undefined ? `the set ${quote(only)}` : 'the sets';
  const otherwise = `bind ${another === undefined ? 'it' : 'one of them'}, or use a bound set: ${bound.join(', ')}`;
  return diagnostic('FW7001', {
    message: `namespace "${namespace}" is ${another === undefined ? 'not bound to' : 'bound to none of'} ${sets} that the placement names, so it selects nothing`,
    ...pointAt(placement, ['spec', 'clusterSets', ...(another === undefined ? [0] : [])]),
    hint: meant === undefined ? otherwise : `did you mean ${quote(meant)}? Otherwise ${otherwise}`,
  });
}

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

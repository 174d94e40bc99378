import type { Diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import type { Rule } from '../rule.ts';

/** A placement whose namespace is bound to no set, or to none that it names: it selects nothing. */
export const placementWithoutSet: Rule = function* ({ decisions }): Iterable<Diagnostic> {
  for (const { placement, reasoning } of decisions.decisions.values()) {
    const { bound = [], eligible = [] } = reasoning?.scheduling.candidates ?? {};
    if (reasoning === undefined || eligible.length > 0) continue;
    const { namespace = '' } = placement.object.metadata;
    yield {
      code: 'FW7001',
      severity: 'error',
      message:
        bound.length === 0
          ? `namespace "${namespace}" is bound to no ManagedClusterSet, so the placement selects nothing`
          : `namespace "${namespace}" is bound to none of the sets that the placement names, so it selects nothing`,
      ...pointAt(placement, bound.length === 0 ? ['metadata', 'namespace'] : ['spec', 'clusterSets']),
      hint:
        bound.length === 0
          ? 'create a ManagedClusterSetBinding in this namespace, named like an existing set'
          : `bind one of them, or name a bound set: ${bound.join(', ')}`,
    };
  }
};

import type { Diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import type { Rule } from '../rule.ts';

/** A placement that names a set which is not bound to its namespace, beside others that are. */
export const unboundClusterSet: Rule = function* ({ decisions }): Iterable<Diagnostic> {
  for (const { placement, reasoning } of decisions.decisions.values()) {
    const { bound = [], eligible = [] } = reasoning?.scheduling.candidates ?? {};
    if (eligible.length === 0) continue;
    const { metadata, spec } = placement.object;
    for (const [index, set] of (spec.clusterSets ?? []).entries()) {
      if (bound.includes(set)) continue;
      const exists = decisions.hub.sets.exists(set);
      yield {
        code: 'FW7002',
        severity: 'warning',
        message: exists
          ? `ManagedClusterSet "${set}" is not bound to namespace "${metadata.namespace ?? ''}", so the hub takes no cluster from it`
          : `ManagedClusterSet "${set}" does not exist, so the hub takes no cluster from it`,
        ...pointAt(placement, ['spec', 'clusterSets', index]),
        hint: exists
          ? 'create the ManagedClusterSetBinding, or remove the name'
          : 'create the set and its binding, or correct the name',
      };
    }
  }
};

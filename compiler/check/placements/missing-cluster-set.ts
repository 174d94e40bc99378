import type { Diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import type { Rule } from '../rule.ts';

/** A binding to a set that does not exist. */
export const missingClusterSet: Rule = function* ({ inventory, decisions }): Iterable<Diagnostic> {
  for (const binding of inventory.managedClusterSetBindings.values()) {
    const { name = '' } = binding.object.metadata;
    if (decisions.hub.sets.exists(name)) continue;
    yield {
      code: 'FW7004',
      severity: 'warning',
      message: `ManagedClusterSet "${name}" does not exist, so the binding has no effect`,
      ...pointAt(binding, ['metadata', 'name']),
      hint: 'create the set, or add it to the fleet snapshot',
    };
  }
};

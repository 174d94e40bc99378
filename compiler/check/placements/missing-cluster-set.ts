import type { Diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import { didYouMean } from '../../suggestion.ts';
import type { Rule } from '../rule.ts';

/** A binding to a set that does not exist. */
export const missingClusterSet: Rule = function* ({ inventory, decisions }): Iterable<Diagnostic> {
  for (const binding of inventory.managedClusterSetBindings.values()) {
    const { name = '' } = binding.object.metadata;
    // The snapshot's bindings are not the user's to correct, and one with another set has a finding of its own.
    if (binding.source === 'fleet' || binding.object.spec?.clusterSet !== name) continue;
    if (decisions.hub.sets.exists(name)) continue;
    yield {
      code: 'FW7004',
      severity: 'warning',
      message: `ManagedClusterSet "${name}" does not exist, so the binding has no effect`,
      ...pointAt(binding, ['metadata', 'name']),
      hint: didYouMean(name, inventory.managedClusterSets.keys(), 'create it, or bind one of') ?? 'create it',
    };
  }
};

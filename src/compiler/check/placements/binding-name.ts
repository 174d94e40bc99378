import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports bindings whose name differs from the name of their set. The hub's webhook rejects them, in these words. */
export const bindingName: Rule = {
  codes: ['FW7005'],
  *check({ inventory }) {
    for (const binding of inventory.managedClusterSetBindings.values()) {
      const { metadata, spec } = binding.object;
      if (spec?.clusterSet === metadata.name) continue;
      yield diagnostic('FW7005', {
        message: `the binding is named "${metadata.name ?? ''}", but its set is "${spec?.clusterSet ?? ''}": the hub rejects it: The ManagedClusterSetBinding must have the same name as the target ManagedClusterSet`,
        ...pointAt(binding, ['spec', 'clusterSet']),
        hint: 'give the binding the name of its set',
      });
    }
  },
};

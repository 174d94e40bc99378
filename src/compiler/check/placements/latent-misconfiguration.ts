import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { compilePredicates } from '../../place/predicates.ts';
import { compileTolerations } from '../../place/taints.ts';
import type { Rule } from '../rule.ts';

/** Reports selectors and tolerations that the hub will reject, but has not read yet, because no cluster reached them. */
export const latentMisconfiguration: Rule = {
  codes: ['FW7014'],
  *check({ decisions }) {
    const { selectors, cel } = decisions.scheduler;
    for (const { placement, misconfiguration, reasoning } of decisions.byPlacement.values()) {
      if (misconfiguration !== undefined || reasoning === undefined) continue;
      const { available, matching } = reasoning.scheduling.candidates;
      if (available.length > 0 && matching.length > 0) continue;
      const { predicates = [], tolerations = [] } = placement.object.spec;
      const compiled = [compilePredicates(predicates, selectors, cel), compileTolerations(tolerations)];
      for (const fault of compiled) {
        // a separate rule checks claim values
        if (!('plugin' in fault) || fault.path.includes('claimSelector')) continue;
        yield diagnostic('FW7014', {
          message: `as soon as the hub evaluates this for a cluster, it reports the placement as misconfigured and selects nothing: ${fault.plugin}: ${fault.message}`,
          ...pointAt(placement, fault.path),
          hint: 'correct the field before the placement has clusters',
        });
      }
    }
  },
};

import { diagnostic } from '../../model/diagnostic.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { hasSeveralWaves, pacedByHub } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports mandatory groups of rollouts in several waves. No release of OCM keeps them first if an add-on is installed again while
 * ManagedClusterAddOns of the earlier installation are left: setRolloutStatus of its addonconfiguration graph counts them as successful.
 */
export const groupOrder: Rule = {
  codes: ['FW8160'],
  *check(input) {
    for (const paced of pacedByHub(input)) {
      const { type } = paced.node.strategy;
      if (type === 'All' || paced.mandatory.length === 0 || !hasSeveralWaves(paced)) continue;
      yield diagnostic('FW8160', {
        message: `OCM ${input.hub.name} does not keep this order if the add-on is removed and installed again: it counts ManagedClusterAddOns of the earlier installation as successful until they are removed`,
        ...paced.at(partOf[type], 'mandatoryDecisionGroups'),
        hint: 'updates, and the installation of a new add-on, keep the order; change the add-on instead of removing it, or wait until all its ManagedClusterAddOns are gone',
      });
    }
  },
};

import { diagnostic } from '../../model/diagnostic.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { hasSeveralWaves, pacedByHub } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports soaks of rollouts in several waves. No release of OCM holds them reliably: the hub counts a soak from the time of a
 * condition whose time stays if an agent answers quickly (`earliestSuccess`).
 */
export const soak: Rule = {
  codes: ['FW7029'],
  *check(input) {
    for (const paced of pacedByHub(input)) {
      const { type, minSuccessTime } = paced.node.strategy;
      if (type === 'All' || minSuccessTime <= 0 || !hasSeveralWaves(paced)) continue;
      yield diagnostic('FW7029', {
        message: `OCM ${input.hub.name} can end this soak immediately, so that waves start within seconds of each other: it counts from the time of a condition, which stays if an agent answers quickly`,
        ...paced.at(partOf[type], 'minSuccessTime'),
        hint: 'for waves that wait, use a promotion (docs/promotion.md); without one, remove minSuccessTime: each wave still waits until the works of the one before are applied',
      });
    }
  },
};

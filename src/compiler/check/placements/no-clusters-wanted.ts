import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports placements that request zero clusters. */
export const noClustersWanted: Rule = {
  codes: ['FW7011'],
  *check({ inventory }) {
    for (const placement of inventory.placements.values()) {
      if (placement.object.spec.numberOfClusters !== 0) continue;
      yield diagnostic('FW7011', {
        message: 'numberOfClusters is 0, so the placement selects nothing',
        ...pointAt(placement, ['spec', 'numberOfClusters']),
        hint: 'remove numberOfClusters to select all clusters',
      });
    }
  },
};

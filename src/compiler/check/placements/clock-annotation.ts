import { clockAnnotation } from '../../../ocm/clock-annotation.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports ManagedClusters whose annotation about clocks the hub does not read. As clockSyncController of OCM's main branch, and
 * managedClusterStatusController of its agent: an agent with another time than the hub does not write the status of its cluster.
 */
export const clockAnnotationRule: Rule = {
  codes: ['FW7028'],
  *check({ inventory, hub }) {
    for (const cluster of inventory.managedClusters.values()) {
      const value = cluster.object.metadata.annotations?.[clockAnnotation];
      if (value === undefined || (hub.readsClockAnnotation && value === 'true')) continue;
      yield diagnostic('FW7028', {
        message: hub.readsClockAnnotation
          ? `the annotation ${clockAnnotation} has no effect: its value is not "true"`
          : `the annotation ${clockAnnotation} has no effect: OCM ${hub.name} does not read it`,
        ...pointAt(cluster, ['metadata', 'annotations', clockAnnotation]),
        hint: hub.readsClockAnnotation
          ? 'write "true", or remove the annotation'
          : 'synchronize the clocks of the cluster and of the hub; OCM 1.4 is expected to read the annotation',
      });
    }
  },
};

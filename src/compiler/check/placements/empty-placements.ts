import { clusterGroup } from '../../../../schemas/groups.ts';
import type { FindingReference } from '../../model/diagnostic.ts';

/** Returns the findings that explain why an add-on is on no cluster: those about its placements, as `namespace/name`. */
export function emptyPlacements(placements: Iterable<string>): FindingReference[] {
  return Array.from(placements, (key) => {
    const [namespace = '', name = ''] = key.split('/');
    return {
      codes: ['FW7001', 'FW7010'],
      object: { apiVersion: `${clusterGroup}/v1beta1`, kind: 'Placement', namespace, name },
    };
  });
}

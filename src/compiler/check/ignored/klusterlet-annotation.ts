import { operatorGroup } from '../../../../schemas/groups.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { fieldAt, isOfKind } from '../../api/placement-references.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

const prefix = 'agent.open-cluster-management.io/';

/** Reports annotations for the ManagedCluster that the registration agent does not set. As FilterClusterAnnotations. */
export const klusterletAnnotation: Rule = {
  codes: ['FW8331'],
  *check({ inventory }) {
    for (const klusterlet of inventory.others) {
      if (klusterlet.source !== 'app' || !isOfKind(klusterlet, operatorGroup, 'Klusterlet')) continue;
      const path = ['spec', 'registrationConfiguration', 'clusterAnnotations'];
      const annotations = fieldAt(klusterlet.object, path);
      for (const key of isJsonMap(annotations) ? Object.keys(annotations) : []) {
        if (key.startsWith(prefix)) continue;
        yield diagnostic('FW8331', {
          message: `the ManagedCluster does not get annotation ${quote(key)}: the agent sets only those with the prefix ${prefix}`,
          ...pointAt(klusterlet, [...path, key]),
          hint: `write ${quote(prefix + (key.split('/').at(-1) ?? key))}, or annotate the ManagedCluster on the hub`,
        });
      }
    }
  },
};

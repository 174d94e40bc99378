import { operatorGroup } from '../../../../schemas/groups.ts';
import { closestNames } from '../../../base/collections/closest-names.ts';
import { isJsonList } from '../../../base/json/json-map.ts';
import { featureGatesOf } from '../../../ocm/clusters/feature-gates.ts';
import { fieldAt, isOfKind, textAt } from '../../api/placement-references.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { listed, quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports feature gates that the operator ignores: they do not exist, or they belong to another component. */
export const featureGate: Rule = {
  codes: ['FW8330'],
  *check({ inventory, hub }) {
    for (const holder of inventory.others) {
      const { kind } = holder.object;
      if (holder.source !== 'app' || !isOfKind(holder, operatorGroup, kind)) continue;
      const components = featureGatesOf(kind, hub.name);
      if (components === undefined) continue;
      for (const [component, names] of components) {
        const path = ['spec', component, 'featureGates'];
        const gates = fieldAt(holder.object, path);
        for (const index of isJsonList(gates) ? gates.keys() : []) {
          const gate = textAt(holder.object, [...path, index, 'feature']);
          if (gate === undefined || names.includes(gate)) continue;
          const owner = [...components].find(([, others]) => others.includes(gate))?.[0];
          const [meant] = closestNames(gate, names);
          yield diagnostic('FW8330', {
            message: `${quote(gate)} is not a feature gate of ${component}: the operator ignores it and reports ValidFeatureGates False`,
            ...pointAt(holder, [...path, index, 'feature']),
            hint:
              owner !== undefined
                ? `move it to ${owner}`
                : meant === undefined
                  ? `its feature gates are ${listed(names)}`
                  : `did you mean ${quote(meant)}?`,
          });
        }
      }
    }
  },
};

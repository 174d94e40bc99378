import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports tolerations without a node selector. The hub ignores them. */
export const tolerationsAlone: Rule = {
  codes: ['FW7105'],
  *check({ rendering }) {
    for (const { config } of usedConfigs(rendering)) {
      const { nodeSelector, tolerations = [] } = config.object.spec.nodePlacement ?? {};
      if (nodeSelector !== undefined || tolerations.length === 0) continue;
      yield diagnostic('FW7105', {
        message: 'the hub ignores these tolerations, because there is no nodeSelector',
        ...pointAt(config, ['spec', 'nodePlacement', 'tolerations']),
        hint: 'add a nodeSelector, at least {}: it replaces the nodeSelector of the pods in the template',
      });
    }
  },
};

import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { settingNames } from '../../render/settings.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports customized variables with names that the hub reserves. */
export const reservedVariable: Rule = {
  codes: ['FW7125'],
  *check({ rendering }) {
    for (const { config } of usedConfigs(rendering)) {
      const { customizedVariables = [], agentInstallNamespace = '' } = config.object.spec;
      for (const [index, { name }] of customizedVariables.entries()) {
        const isBuiltIn =
          name === 'CLUSTER_NAME' || (name === 'INSTALL_NAMESPACE' && agentInstallNamespace !== '');
        if (!isBuiltIn && !settingNames.has(name)) continue;
        yield diagnostic('FW7125', {
          message: isBuiltIn
            ? `the hub sets "${name}" itself, so this value has no effect`
            : `the hub reserves the name "${name}": {{${name}}} stays empty, and the hub may read the value as a setting`,
          ...pointAt(config, ['spec', 'customizedVariables', index, 'name']),
          hint: 'give the variable another name',
        });
      }
    }
  },
};

import { pointAt } from '../../point-at.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports empty mirrors. The hub does not ignore the entry, but truncates image names. */
export const emptyMirror: Rule = function* ({ rendering }) {
  for (const { config } of usedConfigs(rendering)) {
    for (const [index, { source = '', mirror }] of (config.object.spec.registries ?? []).entries()) {
      if (mirror !== '' && mirror !== '/') continue;
      yield {
        code: 'FW7124',
        severity: 'warning',
        message:
          source === '' || source === '/'
            ? 'an empty source with an empty mirror leaves of every image only what follows the last slash'
            : `an empty mirror only cuts "${source}" off, so images begin with a slash, which no registry has`,
        ...pointAt(config, ['spec', 'registries', index, 'mirror']),
        hint: 'name the registry to pull from, or remove the entry',
      };
    }
  }
};

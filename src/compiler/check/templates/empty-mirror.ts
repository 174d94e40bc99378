import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports empty mirrors. The hub does not ignore the entry, but truncates image names. */
export const emptyMirror: Rule = {
  codes: ['FW7124'],
  *check({ rendering }) {
    for (const { config } of usedConfigs(rendering)) {
      for (const [index, { source = '', mirror }] of (config.object.spec.registries ?? []).entries()) {
        if (mirror !== '' && mirror !== '/') continue;
        yield diagnostic('FW7124', {
          message:
            source === '' || source === '/'
              ? 'an empty source with an empty mirror reduces every image to the part after the last slash'
              : `an empty mirror only removes "${source}" from images, which then begin with a slash and are invalid`,
          ...pointAt(config, ['spec', 'registries', index, 'mirror']),
          hint: 'set the registry to pull from, or remove the entry',
        });
      }
    }
  },
};

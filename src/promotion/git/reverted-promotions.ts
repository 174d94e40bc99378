import path from 'node:path';
import type { StatefulFiles } from '../../workspace/revert/revert-sources.ts';
import { readPromotion, withStatus } from '../decide/promotion-file.ts';

/**
 * Returns the promotion files as a revert treats them: `promote` writes their status, and knows how to roll a release back.
 *
 * @param folder - of the promotion files, relative to the top of the repository
 */
export function revertedPromotions(folder: string): StatefulFiles {
  return {
    folder,
    haveSameSpecification: (one, other) => withStatus(one, {}) === withStatus(other, {}),
    withStateOf: (current, text, file) => {
      const { value } = readPromotion(file, current, path.basename(file, '.yaml'));
      return value && withStatus(text, value.status);
    },
  };
}

import { createHash } from 'node:crypto';
import { goJson } from '../../base/json/go-json.ts';
import type { Release } from './promotion.ts';

/** Returns the hash of a release: of its waves with the content of each cluster, and of its gates. */
export function releaseHash({
  gates,
  waves,
  restores,
}: Pick<Release, 'gates' | 'waves' | 'restores'>): string {
  const content = { gates, waves, ...(restores !== undefined && { restores }) };
  // Keys are sorted, so the order in a file does not count.
  return createHash('sha256').update(goJson(content)).digest('hex');
}

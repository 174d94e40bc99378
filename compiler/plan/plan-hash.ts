import { createHash } from 'node:crypto';
import { goJson } from '../../encoding/go-json.ts';
import { withoutPlaces } from './without-places.ts';

/** The hash by which a plan is approved: of what it says in canonical JSON, places left out. */
export function planHash(content: object): string {
  return createHash('sha256')
    .update(goJson(withoutPlaces(content)))
    .digest('hex');
}

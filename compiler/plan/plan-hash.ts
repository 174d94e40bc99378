import { createHash } from 'node:crypto';
import { goJson } from '../../kubernetes/go/json.ts';
import { withoutPlaces } from './without-places.ts';

/** Returns the hash that approves a plan: SHA-256 of its canonical JSON, without locations. */
export function planHash(content: object): string {
  return createHash('sha256')
    .update(goJson(withoutPlaces(content)))
    .digest('hex');
}

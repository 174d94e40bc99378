import { createHash } from 'node:crypto';
import { goJson } from '../../base/json/go-json.ts';
import { withoutLocations } from '../compare/without-locations.ts';

/** Returns the hash that approves a plan: SHA-256 of its canonical JSON, without locations. */
export function planHash(content: object): string {
  return createHash('sha256')
    .update(goJson(withoutLocations(content)))
    .digest('hex');
}

import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../schemas/object-meta.ts';
import { goJson } from './go-json.ts';

const notHashed = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * The hash by which the hub tells whether a configuration changed: lower-case hex SHA-256 of the Go JSON of everything
 * but apiVersion, kind, metadata and status. The object has to be as the API server stores it, defaults included.
 * As addon-framework GetSpecHash.
 */
export function specHash(object: KubernetesObject): string {
  const content = Object.fromEntries(Object.entries(object).filter(([field]) => !notHashed.has(field)));
  return createHash('sha256').update(goJson(content)).digest('hex');
}

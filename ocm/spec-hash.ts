import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../kubernetes/object-meta.ts';
import { goJson } from '../kubernetes/go/json.ts';

const notHashed = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Returns the hash by which the hub detects changes of a configuration: lower-case hex SHA-256 of the Go JSON of
 * everything but apiVersion, kind, metadata and status. The object must be as the API server stores it, including
 * defaults. As addon-framework GetSpecHash.
 */
export function specHash(object: KubernetesObject): string {
  const content = Object.fromEntries(Object.entries(object).filter(([field]) => !notHashed.has(field)));
  return createHash('sha256').update(goJson(content)).digest('hex');
}

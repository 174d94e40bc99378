import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { goJson } from '../base/json/go-json.ts';

const notHashed = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** The hashes of short contents: thousands of configurations can have the same one. Those of a value that is being typed are forgotten. */
const hashes = new Map<string, string>();
const [longest, most] = [2000, 1000];

/**
 * Returns the hash by which the hub detects changes of a configuration: lower-case hex SHA-256 of the Go JSON of
 * everything but apiVersion, kind, metadata and status. The object must be as the API server stores it, including
 * defaults. As addon-framework GetSpecHash.
 */
export function specHash(object: KubernetesObject): string {
  const content = Object.fromEntries(Object.entries(object).filter(([field]) => !notHashed.has(field)));
  const json = goJson(content);
  const earlier = hashes.get(json);
  if (earlier !== undefined) return earlier;
  const hash = createHash('sha256').update(json).digest('hex');
  if (json.length > longest) return hash;
  if (hashes.size >= most) hashes.clear();
  hashes.set(json, hash);
  return hash;
}

import { isJsonMap } from '../../base/json/json-map.ts';

/** API groups of files that local tools read, and no API server. */
const toolGroups =
  /^(?:kustomize\.config\.k8s\.io|skaffold|kind\.x-k8s\.io|k3d\.io|config\.kubernetes\.io)\//;

/**
 * Whether a document is intended for an API server: it has an apiVersion or a kind, and is not the configuration of a tool. A
 * document with only one of the two is a manifest with an error.
 */
export function isManifest(document: unknown): boolean {
  if (!isJsonMap(document)) return false;
  const { apiVersion, kind } = document;
  if (apiVersion === undefined && kind === undefined) return false;
  return !(typeof apiVersion === 'string' && toolGroups.test(apiVersion));
}

import { isJsonMap } from '../base/json/json-map.ts';
import type { ApiReader } from './api-reader.ts';
import { isPathSegment, pathOf, type Resource } from './resource.ts';

/** Returns the versions of a group that the server serves, as `apiVersion`, the preferred one first. */
export async function servedVersions(
  reader: ApiReader,
  group: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (group === '') return ['v1'];
  const discovery = await reader.readIfThere(pathOf('apis', group), signal);
  if (!isJsonMap(discovery)) return [];
  const { preferredVersion, versions } = discovery;
  const entries: readonly unknown[] = [preferredVersion, ...(Array.isArray(versions) ? versions : [])];
  const served = entries
    .map((entry) => (isJsonMap(entry) ? entry['groupVersion'] : undefined))
    .filter((version) => typeof version === 'string')
    .filter((version) => version.split('/').every(isPathSegment));
  return [...new Set(served)];
}

/** Returns the kinds of a version; an empty list if the server does not serve it. */
export async function servedResources(
  reader: ApiReader,
  apiVersion: string,
  signal?: AbortSignal,
): Promise<readonly Resource[]> {
  const root = apiVersion.includes('/') ? 'apis' : 'api';
  const discovery = await reader.readIfThere(pathOf(root, ...apiVersion.split('/')), signal);
  const resources = isJsonMap(discovery) ? discovery['resources'] : undefined;
  return (Array.isArray(resources) ? resources : []).filter(isServed).map(({ name, kind, namespaced }) => ({
    apiVersion,
    kind,
    plural: name,
    namespaced,
  }));
}

/** Whether an entry of a discovery document is a kind, and not a subresource such as `status`. */
function isServed(
  entry: unknown,
): entry is { readonly name: string; readonly kind: string; readonly namespaced: boolean } {
  if (!isJsonMap(entry)) return false;
  const { name, kind, namespaced } = entry;
  return (
    typeof name === 'string' &&
    isPathSegment(name) &&
    typeof kind === 'string' &&
    typeof namespaced === 'boolean'
  );
}

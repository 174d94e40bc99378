import type { ApiObject } from '../client/object.ts';
import type { Resource } from '../client/resource.ts';
import type { OcmKind } from '../../schemas/kinds.ts';

/** Returns a kind of OCM as the API server serves it in a version. The type parameter is the shape of its objects. */
export function resourceOf<T extends ApiObject = ApiObject>(
  { group, kind, plural, scope }: OcmKind,
  version: string,
): Resource<T> {
  return { apiVersion: `${group}/${version}`, kind, plural, namespaced: scope === 'Namespaced' };
}

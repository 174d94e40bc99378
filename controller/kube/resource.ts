import type { ApiObject, ObjectName } from './object.ts';

/** A kind as the API server serves it. The type parameter is the shape of its objects. */
export interface Resource<T extends ApiObject = ApiObject> {
  readonly apiVersion: string;
  readonly kind: string;
  /** The name in paths. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Reads the JSON of its objects, where that must keep more than JSON.parse does. */
  readonly decode?: (text: string) => unknown;
  /** Only for the type checker; never there. */
  readonly objects?: T;
}

/** What stands below an object in paths. */
export type Subresource = 'status' | 'approval';

/** A kind whose objects are in namespaces. */
export function namespacedResource<T extends ApiObject>(
  apiVersion: string,
  kind: string,
  plural: string,
): Resource<T> {
  return { apiVersion, kind, plural, namespaced: true };
}

/** A kind whose objects are in no namespace. */
export function clusterResource<T extends ApiObject>(
  apiVersion: string,
  kind: string,
  plural: string,
): Resource<T> {
  return { apiVersion, kind, plural, namespaced: false };
}

/** A kind as Kubernetes' own metrics name it, such as `deployments.apps`: groups may have kinds of one name. */
export function groupResource({ apiVersion, plural }: Resource): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? plural : `${plural}.${apiVersion.slice(0, slash)}`;
}

/** The path of all objects of a kind: those of one namespace, or of all. */
export function collectionPath({ apiVersion, plural, namespaced }: Resource, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${plural}`;
}

/** The path of one object. */
export function objectPath(
  resource: Resource,
  { name, namespace }: ObjectName,
  subresource?: Subresource,
): string {
  const below = subresource === undefined ? '' : `/${subresource}`;
  return `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}${below}`;
}

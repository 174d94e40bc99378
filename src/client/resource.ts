import { TerminalError } from './api-error.ts';
import type { ApiObject, ObjectName } from './object.ts';

/** A kind as the API server serves it. The type parameter is the shape of its objects. */
export interface Resource<T extends ApiObject = ApiObject> {
  readonly apiVersion: string;
  readonly kind: string;
  /** The name in paths. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Parses the JSON of its objects, if that must preserve more than JSON.parse does. */
  readonly decode?: (text: string) => unknown;
  /** Whether its objects are questions, which the API server answers and does not store. @default false */
  readonly isReview?: boolean;
  /** Only for the type checker; never set. */
  readonly objects?: T;
}

/** The subresource of an object in paths. */
export type Subresource = 'status' | 'approval';

/**
 * The plural of a kind of Kubernetes itself, if all fields of its type beside the metadata are optional: Kubernetes accepts, for
 * example, a Lease without a spec. A field that must be present would be read without a check. The types of OCM's kinds are
 * generated from their schemas, which the API server enforces.
 */
type PluralOf<T extends ApiObject> =
  Partial<Omit<T, keyof ApiObject>> extends Omit<T, keyof ApiObject> ? string : never;

/** Returns a kind whose objects are in namespaces. */
export function namespacedResource<T extends ApiObject>(
  apiVersion: string,
  kind: string,
  plural: PluralOf<T>,
): Resource<T> {
  return { apiVersion, kind, plural, namespaced: true };
}

/** Returns a kind whose objects are in no namespace. */
export function clusterResource<T extends ApiObject>(
  apiVersion: string,
  kind: string,
  plural: PluralOf<T>,
): Resource<T> {
  return { apiVersion, kind, plural, namespaced: false };
}

/**
 * Returns the path of all objects of a kind: those of one namespace, or of all.
 *
 * @throws TerminalError if a name cannot be part of a path
 */
export function collectionPath({ apiVersion, plural, namespaced }: Resource, namespace?: string): string {
  const root = [apiVersion.includes('/') ? 'apis' : 'api', ...apiVersion.split('/')];
  const scope = namespaced && namespace !== undefined ? ['namespaces', namespace] : [];
  return pathOf(...root, ...scope, plural);
}

/**
 * Returns the path of one object.
 *
 * @throws TerminalError if a name cannot be part of a path
 */
export function objectPath(
  resource: Resource,
  { name, namespace }: ObjectName,
  subresource?: Subresource,
): string {
  const below = subresource === undefined ? [] : [subresource];
  return collectionPath(resource, namespace) + pathOf(name, ...below);
}

/**
 * Returns a path of segments. Names come from objects that others write, and some have a meaning in URLs: `..` is the
 * folder above. Kubernetes itself allows neither such names (apimachinery IsValidPathSegmentName), nor `?` or `#` in
 * any.
 *
 * @throws TerminalError if a segment is not a name
 */
export function pathOf(...segments: readonly string[]): string {
  return segments.map((segment) => `/${checkedSegment(segment)}`).join('');
}

/** Whether a text can be a name in a path. */
export function isPathSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/[/\\%?#\s\p{Cc}\p{Cs}]/u.test(text);
}

function checkedSegment(segment: string): string {
  if (!isPathSegment(segment))
    throw new TerminalError(`${JSON.stringify(segment.slice(0, 100))} cannot be a name in a path`);
  return encodeURIComponent(segment);
}

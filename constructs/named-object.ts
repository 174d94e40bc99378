import { groupOf } from '../src/base/names/resource-name.ts';

/** Any object with a name: cdk8s's `ApiObject`, or a construct of cdk8s-plus. */
export interface NamedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly metadata: { readonly namespace?: string };
}

/** A named object with the plural name of its kind, such as the constructs of cdk8s-plus. */
export interface NamedResource extends NamedObject {
  /** Lower-case plural name of the kind, such as `configmaps`. */
  readonly resourceType: string;
}

/** The plural name of a kind in the API, and the API group; the core group is empty. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** Names one object of the API. `namespace` is absent for cluster-scoped objects. */
export interface ResourceReference extends GroupResource {
  readonly namespace?: string;
  readonly name: string;
}

/**
 * Returns the reference to an object. `resource` is the lower-case plural name of its kind, which is optional for
 * constructs that have it.
 */
export function referenceTo(object: NamedObject, resource: string): ResourceReference {
  const group = groupOf(object.apiVersion);
  const { namespace } = object.metadata;
  return {
    group,
    resource,
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    name: object.name,
  };
}

/** Returns the lower-case plural name: the given one, or the construct's own. */
export function resourceOf(object: NamedObject | NamedResource, resource: string | undefined): string {
  if (resource !== undefined) return resource;
  if ('resourceType' in object) return object.resourceType;
  throw new Error(
    `the resource name of ${object.kind} '${object.name}' is not known: pass it, such as 'exampleconfigs'`,
  );
}

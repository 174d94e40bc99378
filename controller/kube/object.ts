import type { ObjectMeta } from '../../schemas/object-meta.ts';

/** Any object of the Kubernetes API, of which no more than this needs to be known. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** The metadata of an object that an API server has stored. */
export interface StoredMeta extends ObjectMeta {
  readonly name: string;
  readonly uid: string;
  /** Changes with every write; means nothing by itself. */
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
}

/** An object as an API server answers it. */
export type Stored<T extends ApiObject> = T & { readonly metadata: StoredMeta };

/** Which object of a kind. */
export interface ObjectName {
  readonly name: string;
  /** Absent for kinds without namespaces. */
  readonly namespace?: string;
}

/** `namespace/name`, or the name alone where the kind has no namespaces. What stores and queues hold. */
export type ObjectKey = string;

export function keyOf({ metadata }: Stored<ApiObject>): ObjectKey {
  return keyOfName(metadata);
}

export function keyOfName({ namespace, name }: ObjectName): ObjectKey {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function nameOfKey(key: ObjectKey): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** What of its metadata tells an object and its version from others: all that is kept where the rest is not looked at. */
export function identityOf(metadata: StoredMeta): StoredMeta {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp } = metadata;
  return {
    name,
    uid,
    resourceVersion,
    creationTimestamp,
    ...(namespace !== undefined && { namespace }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  };
}

/** Some of the labels or annotations of an object. */
export function pick(
  texts: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = texts?.[name];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

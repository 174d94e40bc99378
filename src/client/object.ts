import type { ObjectMeta } from '../base/objects/object-meta.ts';

/** Any object of the Kubernetes API, with the fields that all objects have. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** The metadata of an object that an API server has stored. */
export interface StoredMeta extends ObjectMeta {
  readonly name: string;
  readonly uid: string;
  /** Changes with every write; has no other meaning. */
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
}

/** An object in an answer of an API server. */
export type Stored<T extends ApiObject> = T & { readonly metadata: StoredMeta };

/** Identifies an object of a kind. */
export interface ObjectName {
  readonly name: string;
  /** Absent for kinds without namespaces. */
  readonly namespace?: string;
}

/** `namespace/name`, or the name alone for kinds without namespaces. Stores and queues contain these keys. */
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

/** Returns the metadata that identifies an object and its version: all that is kept if the rest is not used. */
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

/** Returns some of the labels or annotations of an object. */
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

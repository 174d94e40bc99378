/** Name, labels and ownership of a Kubernetes object, with the fields that Fleetwright reads or writes. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly generation?: number;
  /** RFC 3339, UTC. */
  readonly creationTimestamp?: string;
  /** RFC 3339, UTC; present on objects that wait for their finalizers. */
  readonly deletionTimestamp?: string;
}

/** The owner of an object: when the owner is deleted, garbage collection deletes the object. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object: the fields that all kinds have; everything else is unknown. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

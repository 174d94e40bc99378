/** Name, labels and ownership of a Kubernetes object, as far as Fleetwright reads or writes them. */
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

/** The object that another belongs to: when the owner is deleted, garbage collection deletes the other. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object: what all kinds have in common, everything else unknown. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { KubernetesObject, ObjectMeta } from '../../base/objects/object-meta.ts';
import type { LoadedObject } from '../model/inventory.ts';
import type { Condition } from '../../../schemas/types.gen.ts';

/** An entry of `status.configReferences`. */
export interface ObservedConfigReference {
  readonly group?: string;
  readonly resource: string;
  readonly desiredConfig?: { readonly name: string; readonly namespace?: string; readonly specHash?: string };
}

/** The parts of a ManagedClusterAddOn on the hub that the comparison reads. */
export interface ObservedAddOn {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly installNamespace?: string };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly configReferences?: readonly ObservedConfigReference[];
    readonly namespace?: string;
    /** In v1alpha1, the driver of all registrations. */
    readonly kubeClientDriver?: string;
    readonly registrations?: readonly {
      readonly signerName?: string;
      readonly kubeClient?: { readonly driver?: string };
      readonly customSigner?: { readonly signerName: string };
    }[];
  };
}

/** One manifest of a work, as the work agent reports it. */
export interface ObservedManifest {
  /** `Deployment agents/agent`. */
  readonly name: string;
  readonly conditions: readonly Condition[];
}

/** A ManifestWork, without its manifests. */
export interface ObservedWork {
  readonly name: string;
  readonly generation: number;
  /** The time of the last change of its content, in RFC 3339. @default - the hub does not say */
  readonly changed?: string;
  /** The hashes of the configurations that it was rendered with, sorted. */
  readonly configHashes: readonly string[];
  readonly conditions: readonly Condition[];
  readonly manifests: readonly ObservedManifest[];
}

/** A CertificateSigningRequest of the agent of an add-on. */
export interface ObservedRequest {
  readonly name: string;
  /** In RFC 3339. */
  readonly created: string;
  readonly signer: string;
  /** `Approved`, `Denied`, `Failed`: the type, and the message. */
  readonly conditions: readonly { readonly type: string; readonly message?: string }[];
  readonly isIssued: boolean;
}

/** What the hub reports about one add-on on one cluster, besides the ManagedClusterAddOn. */
export interface ClusterDetails {
  readonly works: readonly ObservedWork[];
  /** The newest first. */
  readonly requests: readonly ObservedRequest[];
  /** Whether the hub has the namespace of the cluster; undefined if that was not read. */
  readonly hasNamespace?: boolean;
  /**
   * The latest change of the ClusterManagementAddOn or of a decision of its placements, in RFC 3339: the hub creates and removes the
   * add-on after it. Undefined if that was not read, or the hub does not say.
   */
  readonly decided?: string;
}

/** ManagedClusterAddOns by add-on and cluster. */
export type ObservedAddOns = ReadonlyMap<string, ReadonlyMap<string, ObservedAddOn>>;

/** Returns the ManagedClusterAddOns among the objects of a hub. */
export function observedAddOns(objects: readonly LoadedObject[]): ObservedAddOns {
  const addOns = new Map<string, Map<string, ObservedAddOn>>();
  for (const { object } of objects) {
    if (!isAddOn(object)) continue;
    const { name = '', namespace = '' } = object.metadata;
    getOrInsertComputed(addOns, name, () => new Map()).set(namespace, object);
  }
  return addOns;
}

/** The API server has validated it. */
function isAddOn(object: KubernetesObject): object is ObservedAddOn & KubernetesObject {
  return object.kind === 'ManagedClusterAddOn';
}

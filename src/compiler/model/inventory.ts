import { oncePerPart } from '../../base/collections/joined-lists.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnPlacementScoreV1alpha1,
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
  ManagedClusterSetBindingV1beta2,
  ManagedClusterSetV1beta2,
  ManagedClusterV1,
  PlacementDecisionV1beta1,
  PlacementV1beta1,
} from '../../../schemas/types.gen.ts';
import type { ObjectReference } from './diagnostic.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Origin } from './origin.ts';
import type { ManagerProfile } from './manager-profile.ts';

/** Whether the object is part of the app that the user describes, or of the fleet snapshot that it is resolved against. */
export type Source = 'app' | 'fleet';

/** An object as it was written, before validation. */
export interface LoadedObject {
  readonly object: KubernetesObject;
  readonly origin: Origin;
  readonly source: Source;
}

/** An object as the API server would store it: pruned, defaulted, valid, in the version that the phases read. */
export interface Admitted<T = KubernetesObject> {
  readonly object: T;
  /** The apiVersion in which it was written, if `object` has another. Paths for `origin` are paths in that version. */
  readonly originalVersion?: string;
  readonly origin: Origin;
  readonly source: Source;
}

/** Objects by `namespace/name`, or by `name` if they are cluster-scoped. See `objectKey`. */
export type ByKey<T> = ReadonlyMap<string, Admitted<T>>;

/**
 * All admitted objects, by kind, each in the one version that the phases read. This is the version in which OCM's controllers
 * read it: v1beta1 for the add-on kinds, except templates. Maps keep the order in which objects were loaded.
 */
export interface Inventory {
  readonly clusterManagementAddOns: ByKey<ClusterManagementAddOnV1beta1>;
  readonly managedClusterAddOns: ByKey<ManagedClusterAddOnV1beta1>;
  readonly addOnTemplates: ByKey<AddOnTemplateV1alpha1>;
  readonly addOnDeploymentConfigs: ByKey<AddOnDeploymentConfigV1alpha1>;
  readonly managedClusters: ByKey<ManagedClusterV1>;
  readonly managedClusterSets: ByKey<ManagedClusterSetV1beta2>;
  readonly managedClusterSetBindings: ByKey<ManagedClusterSetBindingV1beta2>;
  readonly placements: ByKey<PlacementV1beta1>;
  readonly placementDecisions: ByKey<PlacementDecisionV1beta1>;
  readonly addOnPlacementScores: ByKey<AddOnPlacementScoreV1alpha1>;
  /** All other objects, in load order: namespaces, ConfigMaps, configurations of kinds that are not OCM's. */
  readonly others: readonly Admitted[];
  /**
   * Every admitted object, in load order and in the version in which it was written, as it is emitted. If the app and the fleet
   * both have an object, the app's object is here and in the maps above, with the fleet's status.
   */
  readonly objects: readonly Admitted[];
  /**
   * The information about objects that are in none of the above.
   *
   * @internal
   */
  readonly elsewhere: Elsewhere;
  /**
   * How managers render their add-ons, by add-on.
   *
   * @internal
   * @default - no profiles
   */
  readonly managerProfiles?: ReadonlyMap<string, ManagerProfile>;
}

const ofApps = oncePerPart((part: Inventory['objects']) => part.filter(({ source }) => source === 'app'));

/** Returns the objects of a state that its app has, in load order: a fleet can have thousands more. */
export function objectsOfApp({ objects }: Pick<Inventory, 'objects'>): readonly Admitted[] {
  return ofApps(objects);
}

/** Returns the key of an object in an `Inventory`. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Returns the namespace and name in a key. */
export function identityOfKey(key: string): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Returns the name of an object in diagnostics. */
export function referenceTo({
  apiVersion,
  kind,
  metadata,
}: Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>): ObjectReference {
  const { name = '', namespace } = metadata;
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

import type { RenderClass } from './render-class.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ManagedClusterAddOnV1beta1Status,
  ManifestWorkV1,
} from '../../../schemas/types.gen.ts';
import type { GoJsonObject } from '../../base/json/go-json.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { Admitted } from '../model/inventory.ts';
import type { DecidedCondition } from '../place/decision.ts';
import type { RenderFault } from './fault.ts';
import type { ManifestRenderer } from './manifests.ts';
import type { RoleBinding } from '../../ocm/role-binding.ts';

/** The status of a ManagedClusterAddOn without `configReferences`. Conditions that the hub sets newly have no times. */
export interface AddOnStatus extends Omit<
  ManagedClusterAddOnV1beta1Status,
  'configReferences' | 'conditions'
> {
  readonly conditions: readonly DecidedCondition[];
}

/** What the hub creates from one add-on on one cluster. */
export interface ClusterRendering {
  readonly addOn: string;
  readonly cluster: string;
  /** The original status, with the changes of the hub's controllers. */
  readonly status: AddOnStatus;
  /** Finalizers that the hub adds to the ManagedClusterAddOn. */
  readonly finalizers: readonly string[];
  /** The annotation with the pre-delete hooks that the companion runs on the managed cluster. */
  readonly hooks?: string | undefined;
  /** The same for the hosting cluster, in hosted mode. */
  readonly hostingHooks?: string | undefined;
  /** `managed` and `hosting`, if there is nothing to deploy to that cluster. */
  readonly emptyLocations?: readonly ('managed' | 'hosting')[];
  /** In order. Empty if the hub cannot render, or has nothing to deploy. */
  readonly works: readonly ManifestWorkV1[];
  /**
   * Secrets of charts that are not delivered, with samples in place of random values.
   *
   * @default - none
   * @internal
   */
  readonly undelivered?: readonly GoJsonObject[];
  /**
   * The bindings in the cluster's own namespace. Bindings elsewhere are one object for all clusters: `Rendering.sharedBindings`.
   */
  readonly roleBindings: readonly RoleBinding[];
  /**
   * The ServiceAccount of an agent with a token, and the Role and the RoleBinding with which the cluster requests the token. Empty
   * if the agent has no token.
   *
   * @default - none
   */
  readonly tokenObjects?: readonly KubernetesObject[];
}

/** Secrets of charts that are not delivered, by the cluster that needs them. */
export interface UndeliveredSecrets {
  readonly managed: readonly GoJsonObject[];
  readonly hosting: readonly GoJsonObject[];
  /** Undefined if the add-on is not in hosted mode. */
  readonly hostingCluster?: string | undefined;
}

/** The clusters with the same template, configuration and annotation. */
export interface RenderGroup {
  readonly addOn: string;
  readonly template: Admitted<AddOnTemplateV1alpha1>;
  readonly config?: Admitted<AddOnDeploymentConfigV1alpha1>;
  /** The clusters' image registries, as the annotation's text. */
  readonly annotation?: string;
  /** The hash of the configuration: configurations with other names can have the same content. Empty if there is none. */
  readonly configHash: string;
  /** Sorted. */
  readonly clusters: readonly string[];
  readonly manifests: ManifestRenderer;
}

/**
 * What the hub creates from all add-ons. Results are not cached: each call renders again, so that ten thousand works need not be
 * in memory at once.
 */
export interface Rendering {
  /** Undefined if the cluster does not have the add-on. */
  clusterAddOn(addOn: string, cluster: string): ClusterRendering | undefined;
  /**
   * What an add-on delivers to a cluster: from its template, or as its own manager renders it if a ManagerProfile declares that.
   * Undefined if the cluster does not have the add-on, or if what its manager renders is unknown.
   */
  predicted(addOn: string, cluster: string): ClusterRendering | undefined;
  /**
   * Returns the Secrets of an add-on's charts that are not delivered to a cluster, with new random values at each call, or the fault that
   * stops the hub. Empty if the cluster does not have the add-on.
   *
   * @internal
   */
  secrets(addOn: string, cluster: string): UndeliveredSecrets | RenderFault;
  /**
   * Returns the classes of the clusters of an add-on. Undefined if its manifests depend on nothing but the configuration, the image
   * registries and the name of a cluster. Charts and Go templates also read annotations and the version of Kubernetes, and hosted
   * mode divides manifests.
   *
   * @internal
   */
  classesOf(addOn: string): ((cluster: string) => RenderClass) | undefined;
  /**
   * The bindings of an add-on in single namespaces. All clusters write them. The hub keeps the subjects of the last writer. Here
   * the last writer is the last cluster by name.
   */
  sharedBindings(addOn: string): readonly RoleBinding[];
  /**
   * Everything that is rendered from templates, by distinct inputs. Add-ons are sorted by name, and the groups of each are a part of
   * the list, see `partsOf`.
   *
   * @internal
   */
  readonly groups: readonly RenderGroup[];
}

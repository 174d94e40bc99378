import type { Construct } from 'constructs';
import type { ManagedClusterAddOnV1beta1Spec } from '../schemas/types.gen.ts';
import { overrideAnnotation } from '../src/ocm/fleetwright-annotations.ts';
import type { IAddOnConfig } from './add-on-config.ts';
import type { IClusterManagementAddOn } from './cluster-management-add-on.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { ClusterReference } from './managed-cluster.ts';
import { clusterName } from './managed-cluster.ts';
import type { ObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { OverrideMode } from './override-mode.ts';
import { checkProps } from './check-properties.ts';

/** The settings of an add-on on one cluster. */
export interface ManagedClusterAddOnProps extends Omit<ObjectProps, 'name'> {
  /** The add-on. This object has its name, as the hub requires. */
  readonly addOn: IClusterManagementAddOn;

  /** The cluster. This object is in its namespace. */
  readonly cluster: ClusterReference;

  /**
   * The configurations of this cluster, instead of those of its placement or the defaults. The list replaces each
   * kind that it contains; it may have several objects of one kind. A change takes effect on the cluster immediately,
   * without waves.
   *
   * @default - the configurations of the placement, or the defaults
   */
  readonly configs?: readonly IAddOnConfig[];

  /**
   * The namespace of the agent on the cluster, for add-ons with their own manager. Add-ons with an AddOnTemplate
   * ignore it: they use `agentInstallNamespace` of their AddOnDeploymentConfig.
   *
   * @default 'open-cluster-management-agent-addon'
   */
  readonly installNamespace?: string;

  /**
   * How the configuration of this cluster reaches the hub. See `OverrideMode`.
   *
   * @default - as set on the ClusterManagementAddOn
   */
  readonly override?: OverrideMode;
}

/**
 * An add-on on one cluster. See also `ClusterManagementAddOn.forCluster`.
 *
 * @example
 * const addOn = ClusterManagementAddOn.reference('hello');
 * new ManagedClusterAddOn(chart, 'hello-cluster1', { addOn, cluster: 'cluster1' });
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/
 */
export class ManagedClusterAddOn extends NamespacedObject {
  private readonly configs: IAddOnConfig[];

  constructor(scope: Construct, id: string, props: ManagedClusterAddOnProps) {
    checkProps({ ManagedClusterAddOn }, new.target, scope, id, props);
    const type = { apiVersion: 'addon.open-cluster-management.io/v1beta1', kind: 'ManagedClusterAddOn' };
    super(scope, id, type, { ...props, name: props.addOn.addOnName, namespace: clusterName(props.cluster) });
    this.configs = [...(props.configs ?? [])];
    if (props.override !== undefined) this.metadata.addAnnotation(overrideAnnotation, props.override);
    if (props.installNamespace !== undefined) {
      // v1beta1 has no such field; OCM's conversion webhook turns this annotation into the field of v1alpha1.
      this.metadata.addAnnotation(
        'addon.open-cluster-management.io/v1alpha1-install-namespace',
        props.installNamespace,
      );
    }
  }

  /** Adds configurations of the cluster. */
  addConfig(config: IAddOnConfig): void {
    this.configs.push(config);
  }

  /** @internal */
  protected override toSpec(): ManagedClusterAddOnV1beta1Spec {
    return defined({ configs: unlessEmpty(this.configs.map((config) => config.configReference)) });
  }
}

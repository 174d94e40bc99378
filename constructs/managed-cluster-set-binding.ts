import type { Construct } from 'constructs';
import type { ManagedClusterSetBindingV1beta2Spec } from '../schemas/types.gen.ts';
import type { IManagedClusterSet } from './managed-cluster-set.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import { checkProps } from './check-properties.ts';

/** The set and the namespace of a binding. */
export interface ManagedClusterSetBindingProps extends Omit<NamespacedObjectProps, 'name'> {
  /** The set. The binding has its name, as the hub requires. */
  readonly clusterSet: IManagedClusterSet;
}

/**
 * Lets the Placements of a namespace select clusters of a set. Creating it requires the permission to bind the set.
 *
 * @example
 * new ManagedClusterSetBinding(chart, 'global', { clusterSet: ManagedClusterSet.global });
 *
 * @see
 * https://open-cluster-management.io/docs/concepts/cluster-inventory/managedclusterset/#bind-the-managedclusterset-to-a-namespace
 */
export class ManagedClusterSetBinding extends NamespacedObject {
  /** Name of the set. */
  readonly clusterSet: string;

  constructor(scope: Construct, id: string, props: ManagedClusterSetBindingProps) {
    checkProps({ ManagedClusterSetBinding }, new.target, scope, id, props);
    const { clusterSetName } = props.clusterSet;
    const type = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta2',
      kind: 'ManagedClusterSetBinding',
    };
    super(scope, id, type, { ...props, name: clusterSetName });
    this.clusterSet = clusterSetName;
  }

  /** @internal */
  protected override toSpec(): ManagedClusterSetBindingV1beta2Spec {
    return { clusterSet: this.clusterSet };
  }
}

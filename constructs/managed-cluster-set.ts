import type { Construct } from 'constructs';
import type { ManagedClusterSetV1beta2Spec } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import { ManagedClusterSetBinding } from './managed-cluster-set-binding.ts';
import type { ObjectProps } from './ocm-object.ts';
import { OcmObject } from './ocm-object.ts';
import type { SelectorLike } from './selector.ts';
import { toLabelSelector } from './selector.ts';
import { rememberCaller } from './source.ts';
import { checkProps } from './check-properties.ts';

/** A ManagedClusterSet, in this app or defined elsewhere. */
export interface IManagedClusterSet {
  /** Name of the set. */
  readonly clusterSetName: string;

  /** Whether the set selects its clusters by labels, so that none can be assigned to it. `undefined` if unknown. */
  readonly selectsByLabels?: boolean;
}

/** The clusters of a ManagedClusterSet. */
export interface ManagedClusterSetProps extends ObjectProps {
  /**
   * Selects the clusters of the set by their labels. `Selector.all()` selects every cluster.
   *
   * @default - the clusters that are assigned to the set with the label
   * cluster.open-cluster-management.io/clusterset; a cluster can be assigned to one set only
   */
  readonly selector?: SelectorLike;

  /**
   * Namespaces that exist on every cluster of the set.
   *
   * @default - none
   */
  readonly managedNamespaces?: readonly string[];
}

/**
 * A named set of managed clusters. Namespaces get access to clusters per set.
 *
 * @example
 * const production = new ManagedClusterSet(chart, 'production', { selector: { env: 'prod' } });
 * production.bindTo('hello');
 *
 * @see https://open-cluster-management.io/docs/concepts/cluster-inventory/managedclusterset/
 */
export class ManagedClusterSet extends OcmObject implements IManagedClusterSet {
  /** The set of all clusters, which every hub has. */
  static readonly global: IManagedClusterSet = { clusterSetName: 'global', selectsByLabels: true };

  /** The set of the clusters that are assigned to no other set, which every hub has. */
  static readonly default: IManagedClusterSet = { clusterSetName: 'default', selectsByLabels: false };

  /** Returns a reference to a set that is defined elsewhere. */
  static reference(name: string): IManagedClusterSet {
    return { clusterSetName: name };
  }

  /** Whether the set selects its clusters by labels, so that none can be assigned to it. */
  readonly selectsByLabels: boolean;

  private readonly selector: SelectorLike | undefined;
  private readonly managedNamespaces: string[];

  constructor(scope: Construct, id: string, props: ManagedClusterSetProps = {}) {
    checkProps({ ManagedClusterSet }, new.target, scope, id, props);
    super(
      scope,
      id,
      { apiVersion: 'cluster.open-cluster-management.io/v1beta2', kind: 'ManagedClusterSet' },
      props,
    );
    this.selector = props.selector;
    this.selectsByLabels = props.selector !== undefined;
    this.managedNamespaces = [...(props.managedNamespaces ?? [])];
  }

  get clusterSetName(): string {
    return this.name;
  }

  /** Lets the Placements of a namespace select clusters of the set. */
  bindTo(namespace: string): ManagedClusterSetBinding {
    const binding = new ManagedClusterSetBinding(this, namespace, { clusterSet: this, namespace });
    rememberCaller(binding);
    return binding;
  }

  /** Adds a namespace that exists on every cluster of the set. */
  addManagedNamespace(name: string): void {
    this.managedNamespaces.push(name);
  }

  /** @internal */
  protected override toSpec(): ManagedClusterSetV1beta2Spec {
    return defined({
      clusterSelector:
        this.selector === undefined
          ? ({ selectorType: 'ExclusiveClusterSetLabel' } as const)
          : ({ selectorType: 'LabelSelector', labelSelector: toLabelSelector(this.selector) } as const),
      managedNamespaces: unlessEmpty(this.managedNamespaces.map((name) => ({ name }))),
    });
  }
}

import type { Construct } from 'constructs';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { groupOf } from '../src/base/names/resource-name.ts';
import { clusterGroup } from '../schemas/groups.ts';
import { checkProps } from './check-properties.ts';
import { defined } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { IPlacement } from './placement.ts';
import type { IPolicy, IPolicySet, PolicyReference } from './policy-api.ts';
import { policyApiVersion } from './policy-api.ts';

/** What a PlacementBinding changes in its policies on its clusters. */
export interface BindingOverrides {
  /** Enforces policies that only report on other clusters. The hub knows no other override. */
  readonly remediationAction: 'enforce';
}

/** The Placement and the policies of a PlacementBinding. */
export interface PlacementBindingProps extends NamespacedObjectProps {
  /** Selects the clusters: `placementRef`. It must be in the namespace of the binding. */
  readonly placement: IPlacement;

  /** The Policies and PolicySets. They must be in the namespace of the binding. */
  readonly subjects: readonly (IPolicy | IPolicySet)[];

  /**
   * What is different on the clusters of this Placement, also for policies that another binding places there.
   *
   * @default - none
   */
  readonly bindingOverrides?: BindingOverrides;

  /**
   * With `restricted`, the binding places nothing: it only overrides what other bindings place on its clusters.
   *
   * @default - the binding places its policies
   */
  readonly subFilter?: 'restricted';
}

/**
 * Places policies on the clusters that a Placement selects.
 *
 * @example
 * const etcd = Policy.reference('policies', 'etcd-encryption');
 * const bound = { namespace: 'policies', subjects: [etcd] };
 * new PlacementBinding(chart, 'everywhere', { ...bound, placement: Placement.reference('policies', 'all') });
 * new PlacementBinding(chart, 'enforced', {
 *   ...bound,
 *   placement: Placement.reference('policies', 'ring-2'),
 *   subFilter: 'restricted',
 *   bindingOverrides: { remediationAction: 'enforce' },
 * });
 *
 * @see https://open-cluster-management.io/docs/getting-started/integration/policy-controllers/policy-framework/
 */
export class PlacementBinding extends NamespacedObject {
  /** Whether the binding only overrides what other bindings place. */
  readonly subFilter: 'restricted' | undefined;

  private readonly placement: IPlacement;
  private readonly subjects: (IPolicy | IPolicySet)[];
  private readonly overrides: BindingOverrides | undefined;

  constructor(scope: Construct, id: string, props: PlacementBindingProps) {
    checkProps({ PlacementBinding }, new.target, scope, id, props);
    super(scope, id, { apiVersion: policyApiVersion, kind: 'PlacementBinding' }, props);
    this.placement = props.placement;
    this.subjects = [...props.subjects];
    this.overrides = props.bindingOverrides;
    this.subFilter = props.subFilter;
  }

  /** Binds another Policy or PolicySet. */
  addSubject(subject: IPolicy | IPolicySet): void {
    this.subjects.push(subject);
  }

  /** The kind has no `spec`: its fields are beside the metadata. */
  override toJson(): KubernetesObject {
    const { spec, ...object } = super.toJson();
    return { ...object, ...(spec as object) };
  }

  /** @internal */
  protected override toSpec(): object {
    return defined({
      placementRef: {
        apiGroup: clusterGroup,
        kind: 'Placement',
        name: this.placement.placementReference.name,
      },
      subjects: this.subjects.map((subject) => {
        const { kind, reference } = subjectOf(subject);
        return { apiGroup: groupOf(policyApiVersion), kind, name: reference.name };
      }),
      bindingOverrides: this.overrides,
      subFilter: this.subFilter,
    });
  }

  protected override faults(): string[] {
    const title = `PlacementBinding '${this.name}'`;
    const faults = super.faults();
    const named = [
      { kind: 'Placement', reference: this.placement.placementReference },
      ...this.subjects.map(subjectOf),
    ];
    for (const { kind, reference } of named)
      if (reference.namespace !== this.namespace)
        faults.push(
          `${kind} '${reference.name}' is in namespace '${reference.namespace}', but ${title} looks for it in '${this.namespace}'`,
        );
    if (this.subjects.length === 0) faults.push(`${title} has no subjects, which the hub rejects`);
    if (this.subFilter === 'restricted' && this.overrides === undefined)
      faults.push(
        `${title} does nothing: it is restricted to overrides, and has none. Set bindingOverrides, or remove subFilter`,
      );
    return faults;
  }
}

function subjectOf(subject: IPolicy | IPolicySet): {
  readonly kind: 'Policy' | 'PolicySet';
  readonly reference: PolicyReference;
} {
  return 'policyReference' in subject
    ? { kind: 'Policy', reference: subject.policyReference }
    : { kind: 'PolicySet', reference: subject.policySetReference };
}

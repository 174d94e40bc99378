import type { Construct } from 'constructs';
import { checkProps } from './check-properties.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { ClusterReference } from './managed-cluster.ts';
import { clusterName } from './managed-cluster.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { IPolicy, IPolicySet, PolicyReference } from './policy-api.ts';
import { policySetApiVersion } from './policy-api.ts';

/** Clusters that do not get one Policy of a PolicySet. */
export interface PolicySetExclusion {
  /** A Policy of the set. */
  readonly policy: IPolicy;

  /** The clusters. */
  readonly clusters: readonly [ClusterReference, ...ClusterReference[]];

  /**
   * Why they do not get it.
   *
   * @default - none
   */
  readonly reason?: string;
}

/** The policies of a PolicySet. */
export interface PolicySetProps extends NamespacedObjectProps {
  /** The policies. They must be in the namespace of the set. */
  readonly policies: readonly IPolicy[];

  /**
   * Description of the set.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * Clusters that do not get one of the policies through this set. A hub whose PolicySets do not have the field drops it.
   *
   * @default - none
   */
  readonly exclusions?: readonly PolicySetExclusion[];
}

/**
 * A group of policies that is bound as a whole.
 *
 * @example
 * const etcd = Policy.reference('policies', 'etcd-encryption');
 * const set = new PolicySet(chart, 'hardening', { namespace: 'policies', policies: [etcd] });
 * new PlacementBinding(chart, 'hardening-everywhere', {
 *   namespace: 'policies',
 *   placement: Placement.reference('policies', 'everywhere'),
 *   subjects: [set],
 * });
 *
 * @see https://open-cluster-management.io/docs/getting-started/integration/policy-controllers/policy-framework/
 */
export class PolicySet extends NamespacedObject implements IPolicySet {
  /** Returns a reference to a PolicySet that is defined elsewhere. */
  static reference(namespace: string, name: string): IPolicySet {
    return { policySetReference: { namespace, name } };
  }

  /** Description of the set. */
  readonly description: string | undefined;

  private readonly policies: IPolicy[];
  private readonly exclusions: PolicySetExclusion[];

  constructor(scope: Construct, id: string, props: PolicySetProps) {
    checkProps({ PolicySet }, new.target, scope, id, props);
    super(scope, id, { apiVersion: policySetApiVersion, kind: 'PolicySet' }, props);
    this.description = props.description;
    this.policies = [...props.policies];
    this.exclusions = [...(props.exclusions ?? [])];
  }

  get policySetReference(): PolicyReference {
    return { namespace: this.namespace, name: this.name };
  }

  /** Adds a Policy of the same namespace. */
  addPolicy(policy: IPolicy): void {
    this.policies.push(policy);
  }

  /** Keeps a Policy of the set from clusters. */
  addExclusion(exclusion: PolicySetExclusion): void {
    this.exclusions.push(exclusion);
  }

  /** @internal */
  protected override toSpec(): object {
    return defined({
      description: this.description,
      policies: this.policies.map(({ policyReference }) => policyReference.name),
      exclusions: unlessEmpty(
        this.exclusions.map(({ policy, clusters, reason }) =>
          defined({
            policyName: policy.policyReference.name,
            clusterNames: clusters.map(clusterName),
            reason,
          }),
        ),
      ),
    });
  }

  protected override faults(): string[] {
    const names = new Set(this.policies.map(({ policyReference }) => policyReference.name));
    const elsewhere = this.policies.filter(
      ({ policyReference }) => policyReference.namespace !== this.namespace,
    );
    const excluded = this.exclusions.map(({ policy }) => policy.policyReference.name);
    return [
      ...super.faults(),
      ...elsewhere.map(
        ({ policyReference: { namespace, name } }) =>
          `Policy '${name}' is in namespace '${namespace}', but PolicySet '${this.name}' lists policies of '${this.namespace}'`,
      ),
      ...excluded
        .filter((name) => !names.has(name))
        .map(
          (name) =>
            `PolicySet '${this.name}' has exclusions of Policy '${name}', which it does not contain: the hub rejects that`,
        ),
      ...[...new Set(excluded.filter((name, index) => excluded.indexOf(name) !== index))].map(
        (name) =>
          `PolicySet '${this.name}' has several exclusions of Policy '${name}', which the hub rejects: name all clusters in one`,
      ),
    ];
  }
}

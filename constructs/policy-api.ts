/** The API version of Policies, of PlacementBindings, and of the policies in a Policy. */
export const policyApiVersion = 'policy.open-cluster-management.io/v1';

/** The API version of PolicySets. */
export const policySetApiVersion = 'policy.open-cluster-management.io/v1beta1';

/** Whether a policy only reports, or also changes the cluster. */
export type RemediationAction = 'inform' | 'enforce';

/** A Policy, in this app or defined elsewhere. */
export interface IPolicy {
  /** Namespace and name of the Policy. */
  readonly policyReference: PolicyReference;
}

/** A PolicySet, in this app or defined elsewhere. */
export interface IPolicySet {
  /** Namespace and name of the PolicySet. */
  readonly policySetReference: PolicyReference;
}

/** A reference to a Policy or a PolicySet. */
export interface PolicyReference {
  readonly namespace: string;
  readonly name: string;
}

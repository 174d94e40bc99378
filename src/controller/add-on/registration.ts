/** An entry of `status.registrations` of a ManagedClusterAddOn, as v1alpha1 has it. */
export interface Registration {
  readonly signerName: string;
  readonly subject?: {
    readonly user?: string;
    readonly groups?: readonly string[];
    readonly organizationUnit?: readonly string[];
  };
}

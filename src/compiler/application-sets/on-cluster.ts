/** A Policy on a cluster. */
export interface PolicyOnCluster {
  /** `namespace/name`. */
  readonly name: string;
  /** What happens there, after the overrides of PlacementBindings. Absent if the templates of the Policy decide. */
  readonly remediationAction?: string;
}

/** An Application that deploys to a cluster. */
export interface ApplicationOnCluster {
  /** `namespace/name`. */
  readonly name: string;
  /** `namespace/name` of the ApplicationSet that generates it. */
  readonly applicationSet: string;
  /** Whether Argo CD deletes what the Application deployed when it deletes the Application. */
  readonly deletesResources: boolean;
}

/** Identifies an add-on on a cluster. */
export interface AddOnOnCluster {
  readonly addOn: string;
  readonly cluster: string;
}

/** The prefix of the users and groups of all agents of OCM. As api/operator SubjectPrefix. */
export const agentPrefix = 'system:open-cluster-management:';

/** The group of all authenticated users. Hubs before 1.3 registered agents with it. */
export const authenticatedGroup = 'system:authenticated';

/** Returns the group that only the agents of an add-on on one cluster have. As addon-framework DefaultGroups. */
export function groupOnCluster({ addOn, cluster }: AddOnOnCluster): string {
  return `${agentPrefix}cluster:${cluster}:addon:${addOn}`;
}

/** Returns the group that the agents of an add-on have on every cluster. As addon-framework DefaultGroups. */
export function sharedGroup(addOn: string): string {
  return `${agentPrefix}addon:${addOn}`;
}

/**
 * Returns the user of an agent on the hub if it has a certificate. As addon-framework DefaultUser: templates name their
 * agent after the add-on.
 */
export function agentUser(onCluster: AddOnOnCluster): string {
  return `${groupOnCluster(onCluster)}:agent:${onCluster.addOn}-agent`;
}

/** Returns the user of an agent on the hub if it has a token. As OCM's token driver. */
export function tokenUser({ addOn, cluster }: AddOnOnCluster): string {
  return `system:serviceaccount:${cluster}:${addOn}-agent`;
}

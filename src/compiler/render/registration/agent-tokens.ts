import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { conditionOf, withCondition } from '../../../base/objects/condition.ts';
import {
  accountUidIn,
  tokenInfrastructure,
  tokenInfrastructureReady,
  tokenReadyCondition,
  usesToken,
} from '../../../ocm/token-infrastructure.ts';
import type { ClusterInputs } from '../cluster-add-on.ts';
import type { AddOnStatus } from '../render-result.ts';

/** In place of the uid of a ServiceAccount, which the API server chooses when it creates the object. */
const unknownUid = '<uid>';

/** The status of an add-on on a cluster, and the objects from which its agent gets a token. */
interface AgentTokens {
  readonly status: AddOnStatus;
  /** Empty if the agent has no token. */
  readonly tokenObjects: readonly KubernetesObject[];
}

/**
 * Simulates OCM addontokeninfra, which serves every ManagedClusterAddOn whose agent registers with a token, whichever manager it
 * has. If the agent no longer does, or the ManagedClusterAddOn is being deleted, the hub removes the objects. The condition keeps the
 * uid that the status already has.
 */
export function agentTokens(
  status: AddOnStatus,
  { resolved, clusterAddOn: { cluster, managedClusterAddOn }, hub }: ClusterInputs,
): AgentTokens {
  const earlier = conditionOf(status.conditions, tokenInfrastructureReady);
  if (!hub.createsTokenInfrastructure || managedClusterAddOn?.object.metadata.deletionTimestamp !== undefined)
    return { status, tokenObjects: [] };
  if (!usesToken(status)) {
    const conditions = status.conditions.filter((condition) => condition !== earlier);
    return { status: earlier === undefined ? status : { ...status, conditions }, tokenObjects: [] };
  }
  const onCluster = { addOn: resolved.name, cluster };
  const { serviceAccount, role, roleBinding } = tokenInfrastructure(onCluster);
  const uid = (earlier && accountUidIn(earlier.message)) ?? unknownUid;
  const conditions = withCondition(status.conditions, tokenReadyCondition(onCluster, uid));
  return { status: { ...status, conditions }, tokenObjects: [serviceAccount, role, { ...roleBinding }] };
}

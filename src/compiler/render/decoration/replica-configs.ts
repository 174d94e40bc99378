import type { RE2JS } from 're2js';
import { isGoJsonObject, type GoJsonObject } from '../../../base/json/go-json.ts';
import { groupVersionKind, nameOf } from '../../../base/objects/object-identity.ts';
import type { AddOnDeploymentConfigV1alpha1ReplicaConfig } from '../../../../schemas/types.gen.ts';
import { idPattern } from './id-pattern.ts';

/** The number of replicas of the workloads whose id matches. */
export interface WorkloadReplicas {
  /** Undefined if Go cannot compile the pattern. The entry is then skipped. */
  readonly pattern: RE2JS | undefined;
  readonly replicas: number;
}

/** Parses the replicas of a configuration. */
export function readReplicaConfigs(
  configs: readonly AddOnDeploymentConfigV1alpha1ReplicaConfig[],
): readonly WorkloadReplicas[] {
  return configs.map(({ workloadID, replicas }) => ({ pattern: idPattern(workloadID), replicas }));
}

/** Returns the id of a workload with replicas, such as `deployments:agent`; undefined for every other object. */
export function workloadId(object: GoJsonObject): string | undefined {
  const { group, kind } = groupVersionKind(object);
  if (group !== 'apps' || (kind !== 'Deployment' && kind !== 'StatefulSet')) return undefined;
  return `${kind === 'Deployment' ? 'deployments' : 'statefulsets'}:${nameOf(object)}`;
}

/** Returns the number of replicas of a workload. If several entries match, the last one counts. */
export function replicasFor(entries: readonly WorkloadReplicas[], id: string): number | undefined {
  return entries.findLast(({ pattern }) => pattern?.matcher(id).find() === true)?.replicas;
}

/**
 * Sets the number of replicas of a rendered workload. As OCM's pull request 1700 describes it for Deployments, and the API for
 * StatefulSets too; of these, nothing but the number changes.
 */
export function withReplicas(object: GoJsonObject, entries: readonly WorkloadReplicas[]): GoJsonObject {
  const id = entries.length === 0 ? undefined : workloadId(object);
  const replicas = id === undefined ? undefined : replicasFor(entries, id);
  if (replicas === undefined) return object;
  const { spec } = object;
  return { ...object, spec: { ...(isGoJsonObject(spec) ? spec : {}), replicas } };
}

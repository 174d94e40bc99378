import type { Condition, ManifestWorkV1 } from '../../../../schemas/types.gen.ts';
import type { DecidedCondition } from '../condition.ts';
import { conditionOf } from '../../../base/objects/condition.ts';

/** The conditions that report whether the works of a cluster were applied: the managed one, or the hosting one. */
export type AppliedCondition = 'ManifestApplied' | 'HostingManifestApplied';

/**
 * Returns the condition `ManifestApplied`, or that of the hosting cluster, from the work agent's reports about the works: `keep` if there is no new
 * report, `remove` if a failure is over and the success not yet reported. As addon-framework agentdeploy, but one
 * failure among several works is a failure, whichever was checked last.
 *
 * @param isEmpty whether the add-on has nothing to deploy there
 */
export function manifestApplied(
  works: readonly Pick<ManifestWorkV1, 'status'>[],
  current: Condition | undefined,
  isEmpty: boolean,
  type: AppliedCondition = 'ManifestApplied',
): DecidedCondition | 'keep' | 'remove' {
  if (works.length === 0) return isEmpty ? applied(type, 'no manifest need to apply') : 'keep';
  const statuses = works.map(({ status }) => conditionOf(status?.conditions, 'Applied')?.status);
  if (statuses.some((status) => status !== undefined && status !== 'True'))
    return {
      type,
      status: 'False',
      reason: 'AddonManifestAppliedFailed',
      message: 'failed to apply the manifests of addon',
    };
  if (statuses.every((status) => status === 'True'))
    return applied(type, 'manifests of addon are applied successfully');
  return current?.status === 'False' ? 'remove' : 'keep';
}

function applied(type: AppliedCondition, message: string): DecidedCondition {
  return { type, status: 'True', reason: 'AddonManifestApplied', message };
}

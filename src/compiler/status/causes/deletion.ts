import { addOnCondition, causeOf, isFalse, isRecent, unreacted, type CauseRule } from '../evidence.ts';
import { failureOf, isHookWork } from './work.ts';

const hookFinalizers = new Set([
  'addon.open-cluster-management.io/addon-pre-delete',
  'addon.open-cluster-management.io/hosting-addon-pre-delete',
  'cluster.open-cluster-management.io/addon-pre-delete',
  'cluster.open-cluster-management.io/hosting-addon-pre-delete',
]);

/** A ManagedClusterAddOn that is going, or that nothing removes. */
export const deletionRule: CauseRule = (evidence) => {
  const { observed, progress, now } = evidence;
  if (observed === undefined) return undefined;
  const { deletionTimestamp, finalizers = [] } = observed.metadata;
  if (deletionTimestamp === undefined)
    return progress === 'unexpected'
      ? unreacted(
          evidence,
          'not-removed',
          'no placement selects the cluster, and the hub has not deleted the add-on',
        )
      : undefined;
  const failed = failureOf(evidence.details.works.filter(isHookWork));
  if (failed !== undefined) return failed;
  const lasts = (limit: number): boolean => !isRecent(deletionTimestamp, now, limit);
  const hook = addOnCondition(evidence, 'HookManifestCompleted');
  if (isFalse(hook))
    return causeOf(
      lasts(longestHook) ? 'deletion-stuck' : 'hook-running',
      `the deletion waits for the pre-delete hook: ${hook.message}`,
      deletionTimestamp,
    );
  const finalizer = finalizers.find((name) => hookFinalizers.has(name));
  if (finalizer !== undefined)
    return isRecent(deletionTimestamp, now)
      ? causeOf('deletion-pending', `the deletion waits for finalizer ${finalizer}`, deletionTimestamp)
      : causeOf(
          'hook-not-run',
          `the deletion waits for finalizer ${finalizer}: no manager has run the pre-delete hook`,
          deletionTimestamp,
        );
  const waitsFor = finalizers.length === 0 ? 'the hub' : `finalizers ${finalizers.join(', ')}`;
  const code = lasts(longestDeletion) ? 'deletion-stuck' : 'deletion-pending';
  return causeOf(code, `the deletion waits for ${waitsFor}`, deletionTimestamp);
};

/** The time after which a deletion does not end by itself, in milliseconds: hooks are Jobs, and other finalizers need seconds. */
const longestHook = 3_600_000;
const longestDeletion = 600_000;

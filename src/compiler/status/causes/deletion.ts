import { addOnCondition, causeOf, isFalse, type CauseRule } from '../evidence.ts';

const hookFinalizers = new Set([
  'addon.open-cluster-management.io/addon-pre-delete',
  'addon.open-cluster-management.io/hosting-addon-pre-delete',
  'cluster.open-cluster-management.io/addon-pre-delete',
  'cluster.open-cluster-management.io/hosting-addon-pre-delete',
]);

/** A ManagedClusterAddOn that is going, or that nothing removes. */
export const deletionRule: CauseRule = (evidence) => {
  const { observed, progress } = evidence;
  if (observed === undefined) return undefined;
  const { deletionTimestamp, finalizers = [] } = observed.metadata;
  if (deletionTimestamp === undefined)
    return progress === 'unexpected'
      ? causeOf('not-removed', 'no placement selects the cluster, and the hub has not deleted the add-on yet')
      : undefined;
  const hook = addOnCondition(evidence, 'HookManifestCompleted');
  const finalizer = finalizers.find((name) => hookFinalizers.has(name));
  if (isFalse(hook) || finalizer !== undefined)
    return causeOf(
      'hook-running',
      isFalse(hook)
        ? `the deletion waits for the pre-delete hook: ${hook.message}`
        : `the deletion waits for finalizer ${finalizer}: no manager has run the pre-delete hook`,
      deletionTimestamp,
    );
  const waitsFor = finalizers.length === 0 ? 'the hub' : `finalizers ${finalizers.join(', ')}`;
  return causeOf('deletion-pending', `the deletion waits for ${waitsFor}`, deletionTimestamp);
};

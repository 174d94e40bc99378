import type { ManagedClusterAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import { conditionOf, isUnchanged, withCondition } from '../../../kubernetes/condition.ts';
import { keyOf, nameOfKey, type Stored } from '../../../kubernetes/client/object.ts';
import { preDeleteHooksAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { hookWorkName } from '../../../ocm/hook-work.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';
import { source, type Controller } from '../../queue/controller.ts';
import type { ReconcileResult } from '../../queue/workers.ts';
import { addOnOfWork } from '../add-on-of-work.ts';
import { timedCondition, type DecidedCondition } from '../condition.ts';
import type { ControllerContext } from '../controller-context.ts';
import { isCompiled } from '../managed-add-ons.ts';
import { isHookWork } from './cached-hook-work.ts';
import { attemptHooks } from './hook-attempt.ts';
import { hookCondition } from './hook-condition.ts';
import { addHookFinalizer, hasHookFinalizer, removeHookFinalizer, waitsForHooks } from './hook-finalizer.ts';

type OnCluster = Stored<ManagedClusterAddOnV1alpha1>;

/**
 * Runs the pre-delete hooks of add-ons with compiled delivery. As addon-framework defaultHookSyncer: a finalizer keeps the
 * ManagedClusterAddOn, which owns the works, until all hooks are complete. The hooks are in an annotation of it, so they do not
 * depend on what Git or the hub still has.
 */
export function hookController(context: ControllerContext): Controller {
  const { client, informers, settings } = context;
  const { managedClusterAddOns: onClusters, manifestWorks: works } = informers;
  return {
    name: 'pre-delete-hook',
    workers: settings.workers,
    sources: [
      source(onClusters, ({ after }) => (after !== undefined && concernsHooks(after) ? [keyOf(after)] : [])),
      source(works, ({ before, after }) => {
        const work = after ?? before;
        const key = work === undefined || !isHookWork(work) ? undefined : addOnOfWork(work);
        return key === undefined ? [] : [key];
      }),
    ],
    reconcile: async (key, { signal }) => {
      const onCluster = onClusters.store.get(key);
      if (onCluster === undefined || !concernsHooks(onCluster)) return undefined;
      const isRun = settings.preDeleteHooks && hasHooks(onCluster);
      if (waitsForHooks(onCluster)) {
        if (isRun) return await runHooks(context, onCluster, signal);
        // Nothing else would: the hooks were removed from Git, or this companion no longer runs any.
        await removeHookFinalizer(client, onCluster, signal);
      } else if (isRun && !hasHookFinalizer(onCluster) && onCluster.metadata.deletionTimestamp === undefined)
        await addHookFinalizer(client, onCluster, signal);
      return undefined;
    },
  };
}

function concernsHooks(onCluster: OnCluster): boolean {
  return isCompiled(onCluster) && (hasHooks(onCluster) || hasHookFinalizer(onCluster));
}

function hasHooks({ metadata }: OnCluster): boolean {
  return metadata.annotations?.[preDeleteHooksAnnotation] !== undefined;
}

async function runHooks(
  context: ControllerContext,
  cached: OnCluster,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { client, informers, settings, events, clock, log } = context;
  const key = keyOf(cached);
  // The cache does not have the hooks.
  const onCluster = await client.get(managedClusterAddOns, nameOfKey(key), signal);
  if (onCluster === undefined || onCluster.metadata.uid !== cached.metadata.uid || !waitsForHooks(onCluster))
    return undefined;
  const { namespace = '', annotations, deletionTimestamp = '' } = onCluster.metadata;
  const workName = hookWorkName(onCluster.metadata.name);
  const cluster = informers.managedClusters.store.get(namespace);
  const hooks = annotations?.[preDeleteHooksAnnotation] ?? '';
  const work = informers.manifestWorks.store.get(`${namespace}/${workName}`);
  // As addon-framework: without the cluster nothing is applied.
  const attempt =
    cluster === undefined
      ? { isComplete: false }
      : await attemptHooks(context, onCluster, hooks, work, signal);
  const left = Date.parse(deletionTimestamp) + settings.hookDeadline - clock.now();
  const condition = hookCondition({
    work: workName,
    attempt,
    cluster,
    overdue: left > 0 ? undefined : settings.hookDeadline,
  });
  const isOverdue = !attempt.isComplete && left <= 0;
  const current = await setCondition(context, onCluster, condition, signal);
  if (attempt.isComplete) {
    log.info({ object: key }, 'the pre-delete hooks are complete');
    await removeHookFinalizer(client, current, signal);
  } else if (isOverdue && settings.hookGiveUp) {
    log.warn({ object: key, why: condition.message }, 'gave up the pre-delete hooks');
    await events.record(onCluster, 'Warning', 'HookGivenUp', condition.message);
    await removeHookFinalizer(client, current, signal);
  } else {
    const delays = [isOverdue ? undefined : left, attempt.requeueAfter].filter(
      (delay) => delay !== undefined,
    );
    if (delays.length > 0) return { requeueAfter: Math.min(...delays) };
  }
  return undefined;
}

/** Returns the ManagedClusterAddOn with the condition. An Event reports a new problem. */
async function setCondition(
  { client, clock, events }: ControllerContext,
  onCluster: OnCluster,
  condition: DecidedCondition,
  signal: AbortSignal,
): Promise<OnCluster> {
  const { conditions = [] } = onCluster.status ?? {};
  if (isUnchanged(conditionOf(conditions, condition.type), condition)) return onCluster;
  const patch = {
    metadata: { resourceVersion: onCluster.metadata.resourceVersion },
    status: { conditions: withCondition(conditions, timedCondition(condition, clock.now())) },
  };
  const written = await client.merge(managedClusterAddOns, onCluster.metadata, patch, {
    subresource: 'status',
    signal,
  });
  if (condition.reason === 'HookFailed' || condition.reason === 'HookDeadlineExceeded')
    await events.record(onCluster, 'Warning', condition.reason, condition.message);
  return written;
}

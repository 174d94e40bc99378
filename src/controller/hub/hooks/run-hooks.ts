import type { ManagedClusterAddOnV1alpha1, ManifestWorkV1 } from '../../../../schemas/types.gen.ts';
import { conditionOf, isUnchanged, withCondition } from '../../../base/objects/condition.ts';
import { keyOf, nameOfKey, type Stored } from '../../../client/object.ts';
import { hostingPreDeleteHook } from '../../../ocm/hook-work.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';
import type { ReconcileResult } from '../../queue/workers.ts';
import { timedCondition, type DecidedCondition } from '../condition.ts';
import type { ControllerContext } from '../controller-context.ts';
import { attemptHooks } from './hook-attempt.ts';
import { hookCondition, type HookResult } from './hook-condition.ts';
import { hookFinalizersOf, replaceFinalizers, waitsForHooks } from './hook-finalizer.ts';
import { hookRuns, whyNotHosted } from './hook-run.ts';
import { deleteWorks, leftToCompanion } from './hosted-works.ts';

type OnCluster = Stored<ManagedClusterAddOnV1alpha1>;

/**
 * Takes the next step with the deletion of an add-on: runs its hooks, and removes the finalizers when they are complete. Before, it
 * deletes the works for the hosting cluster that Git leaves to the companion: without the ManagedClusterAddOn, nothing names them.
 */
export async function runHooks(
  context: ControllerContext,
  cached: OnCluster,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { client, informers, settings, events, clock, log } = context;
  if (!waitsForHooks(cached)) return undefined;
  const key = keyOf(cached);
  // The cache does not have the hooks.
  const onCluster = await client.get(managedClusterAddOns, nameOfKey(key), signal);
  if (onCluster === undefined || onCluster.metadata.uid !== cached.metadata.uid || !waitsForHooks(onCluster))
    return undefined;
  const awaited = hookFinalizersOf(onCluster);
  const runs = settings.preDeleteHooks ? hookRuns(informers, onCluster) : [];
  const unmet = awaited.filter((each) => runs.every(({ finalizer }) => finalizer !== each));
  if (unmet.length > 0) {
    await release(context, onCluster, unmet, signal);
    return undefined;
  }
  // As addon-framework: without the cluster nothing is applied, on its hosting cluster neither.
  const isCluster = informers.managedClusters.store.get(onCluster.metadata.namespace ?? '') !== undefined;
  const results: HookResult[] = [];
  for (const run of runs.filter(({ finalizer }) => awaited.includes(finalizer)))
    results.push(
      isCluster
        ? { run, attempt: await attemptHooks(context, onCluster, run, signal) }
        : { run: { ...run, cluster: undefined }, attempt: { isComplete: false } },
    );
  const left = Date.parse(onCluster.metadata.deletionTimestamp ?? '') + settings.hookDeadline - clock.now();
  const condition = hookCondition(results, left > 0 ? undefined : settings.hookDeadline);
  const isComplete = condition.status === 'True';
  const isOverdue = !isComplete && left <= 0;
  const current = await setCondition(context, onCluster, condition, signal);
  if (isComplete) {
    log.info({ object: key }, 'the pre-delete hooks are complete');
  } else if (isOverdue && settings.hookGiveUp) {
    log.warn({ object: key, why: condition.message }, 'gave up the pre-delete hooks');
    await events.record(onCluster, 'Warning', 'HookGivenUp', condition.message);
  } else {
    const retries = results.map(({ attempt: { requeueAfter } }) => requeueAfter);
    const delays = [isOverdue ? undefined : left, ...retries].filter((delay) => delay !== undefined);
    return delays.length > 0 ? { requeueAfter: Math.min(...delays) } : undefined;
  }
  if (awaited.includes(hostingPreDeleteHook))
    await deleteWorks(context, leftToCompanion(context, key), 'the pre-delete hooks are over', signal);
  await replaceFinalizers(client, current, { removed: awaited }, signal);
  return undefined;
}

/**
 * Removes finalizers that nothing else would remove: the hooks were removed from Git, nothing can run them on the hosting cluster, or
 * this companion no longer runs any.
 */
async function release(
  context: ControllerContext,
  onCluster: OnCluster,
  finalizers: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { client, settings, events, log } = context;
  const key = keyOf(onCluster);
  const works = finalizers.includes(hostingPreDeleteHook) ? leftToCompanion(context, key) : [];
  const why = finalizers.includes(hostingPreDeleteHook) ? whyReleased(context, onCluster, works) : undefined;
  if (why !== undefined) {
    log.warn({ object: key, works: works.map(keyOf) }, why);
    await events.record(onCluster, 'Warning', 'HookNotRun', why);
  }
  if (settings.preDeleteHooks) await deleteWorks(context, works, 'its pre-delete hooks are not run', signal);
  await replaceFinalizers(client, onCluster, { removed: finalizers }, signal);
}

/** Returns why hooks on the hosting cluster are not run; undefined if there are none. */
function whyReleased(
  { informers, settings }: ControllerContext,
  onCluster: OnCluster,
  works: readonly Stored<ManifestWorkV1>[],
): string | undefined {
  const notRun = 'the pre-delete hooks on the hosting cluster are not run';
  if (settings.preDeleteHooks) {
    const why = whyNotHosted(informers, onCluster);
    return why && `${notRun}: ${why}`;
  }
  const left = works.length === 0 ? '' : `, and these works remain: ${works.map(keyOf).join(', ')}`;
  return `${notRun}: the companion runs none (preDeleteHooks)${left}`;
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

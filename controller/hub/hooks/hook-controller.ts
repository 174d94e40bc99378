import type {
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../../schemas/types.gen.ts';
import { conditionOf, isUnchanged, withCondition } from '../../../kubernetes/condition.ts';
import { keyOf, nameOfKey, type Stored } from '../../../kubernetes/client/object.ts';
import {
  addOnUidAnnotation,
  deletedByAnnotation,
  preDeleteHooksAnnotation,
} from '../../../ocm/fleetwright-annotations.ts';
import { hostingClusterOf } from '../../../ocm/hosted-mode.ts';
import { hostingPreDeleteHook } from '../../../ocm/hook-work.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';
import { source, type Controller } from '../../queue/controller.ts';
import type { ReconcileResult } from '../../queue/workers.ts';
import { addOnOfWork } from '../add-on-of-work.ts';
import { timedCondition, type DecidedCondition } from '../condition.ts';
import type { ControllerContext } from '../controller-context.ts';
import { unreachable } from '../health/available.ts';
import { isCompiled } from '../managed-add-ons.ts';
import { isHookWork } from './cached-hook-work.ts';
import { attemptHooks } from './hook-attempt.ts';
import { hookCondition, type HookResult } from './hook-condition.ts';
import { hookFinalizersOf, replaceFinalizers, waitsForHooks } from './hook-finalizer.ts';
import { hookRuns, obsoleteFinalizers, whyNotHosted } from './hook-run.ts';
import { deleteMovedWorks, deleteStrayHookWorks, deleteWorks, leftToCompanion } from './hosted-works.ts';

type OnCluster = Stored<ManagedClusterAddOnV1alpha1>;

/**
 * Runs the pre-delete hooks of add-ons with compiled delivery. As addon-framework defaultHookSyncer and hostedHookSyncer: finalizers
 * keep the ManagedClusterAddOn, which owns the works of its cluster, until all hooks are complete. The hooks are in annotations of
 * objects that remain until then, so they do not depend on what Git or the hub still has.
 */
export function hookController(context: ControllerContext): Controller {
  const { informers, settings } = context;
  const { managedClusterAddOns: onClusters, managedClusters, manifestWorks: works } = informers;
  return {
    name: 'pre-delete-hook',
    workers: settings.workers,
    sources: [
      // Of one that is gone, works with hooks may be left.
      source(onClusters, ({ before, after }) =>
        [after, before].flatMap((each) => (each && concernsHooks(each) ? [keyOf(each)] : [])).slice(0, 1),
      ),
      source(works, ({ before, after }) => {
        const work = after ?? before;
        const concerns =
          work !== undefined &&
          (isHookWork(work) || work.metadata.annotations?.[deletedByAnnotation] !== undefined);
        const key = concerns ? addOnOfWork(work) : undefined;
        return key === undefined ? [] : [key];
      }),
      source(managedClusters, ({ before, after }) => {
        if (before !== undefined && after !== undefined && isAlike(before, after)) return [];
        const name = (after ?? before)?.metadata.name ?? '';
        return [...onClusters.store.by('cluster', name), ...onClusters.store.by('hosting', name)]
          .filter(waitsForHooks)
          .map(keyOf);
      }),
    ],
    reconcile: async (key, { signal }) => {
      const onCluster = onClusters.store.get(key);
      if (settings.preDeleteHooks) {
        const hosted = works.store
          .by('addOn', key)
          .filter(({ metadata }) => metadata.annotations?.[addOnUidAnnotation] !== undefined);
        await deleteStrayHookWorks(context, key, hosted, signal);
      }
      if (onCluster === undefined || !isCompiled(onCluster)) return undefined;
      return onCluster.metadata.deletionTimestamp === undefined
        ? await prepare(context, onCluster, signal)
        : await runHooks(context, onCluster, signal);
    },
  };
}

function concernsHooks(onCluster: OnCluster): boolean {
  return (
    isCompiled(onCluster) &&
    (onCluster.metadata.annotations?.[preDeleteHooksAnnotation] !== undefined ||
      hostingClusterOf(onCluster) !== undefined ||
      hookFinalizersOf(onCluster).length > 0)
  );
}

/** Whether two states of a cluster are the same for hooks. */
function isAlike(before: Stored<ManagedClusterV1>, after: Stored<ManagedClusterV1>): boolean {
  return (
    before.metadata.deletionTimestamp === after.metadata.deletionTimestamp &&
    (unreachable(before) === undefined) === (unreachable(after) === undefined)
  );
}

/** Keeps the finalizers of an add-on that stays in accord with its hooks. */
async function prepare(
  context: ControllerContext,
  onCluster: OnCluster,
  signal: AbortSignal,
): Promise<undefined> {
  const { client, informers, settings } = context;
  if (!settings.preDeleteHooks) return;
  const present = hookFinalizersOf(onCluster);
  const missing = hookRuns(informers, onCluster)
    .map(({ finalizer }) => finalizer)
    .filter((finalizer) => !present.includes(finalizer));
  const obsolete = obsoleteFinalizers(informers, onCluster);
  if (missing.length > 0 || obsolete.length > 0)
    await replaceFinalizers(client, onCluster, { added: missing, removed: obsolete }, signal);
  else await deleteMovedWorks(context, onCluster, signal);
}

async function runHooks(
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
  const unmet = awaited.filter((awaitedFinalizer) =>
    runs.every(({ finalizer }) => finalizer !== awaitedFinalizer),
  );
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
  if (settings.preDeleteHooks) await deleteWorks(context, works, 'no hooks are run before', signal);
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

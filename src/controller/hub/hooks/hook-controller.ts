import type { ManagedClusterAddOnV1alpha1, ManagedClusterV1 } from '../../../../schemas/types.gen.ts';
import { keyOf, type Stored } from '../../../client/object.ts';
import {
  addOnUidAnnotation,
  deletedByAnnotation,
  preDeleteHooksAnnotation,
} from '../../../ocm/fleetwright-annotations.ts';
import { hostingClusterOf } from '../../../ocm/hosted-mode.ts';
import { source, type Controller } from '../../queue/controller.ts';
import { addOnOfWork } from '../add-on-of-work.ts';
import type { ControllerContext } from '../controller-context.ts';
import { unreachable } from '../health/available.ts';
import { isCompiled } from '../managed-add-ons.ts';
import { isHookWork } from './cached-hook-work.ts';
import { hookFinalizersOf, replaceFinalizers, waitsForHooks } from './hook-finalizer.ts';
import { hookRuns, obsoleteFinalizers } from './hook-run.ts';
import { deleteMovedWorks, deleteStrayHookWorks } from './hosted-works.ts';
import { runHooks } from './run-hooks.ts';

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

/** Adds and removes the finalizers of an add-on that stays, as its hooks require. */
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

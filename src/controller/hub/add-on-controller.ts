import { goJson } from '../../base/json/go-json.ts';
import { clustersAnnotation, deliveryAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { ManagedClusterAddOnV1alpha1, ManifestWorkV1 } from '../../../schemas/types.gen.ts';
import { Budgets } from '../events/budgets.ts';
import { nameOfKey, type ObjectKey, type Stored } from '../../client/object.ts';
import type { Controller } from '../queue/controller.ts';
import type { ReconcileResult } from '../queue/workers.ts';
import { addOnSources } from './add-on-sources.ts';
import { addOnStatus } from './add-on-status.ts';
import { configFacts } from './configuration/config-facts.ts';
import { configKey, configsOf, missingConfig } from './configuration/config-references.ts';
import type { ControllerContext } from './controller-context.ts';
import {
  isCompanionManaged,
  isCompiled,
  isNoLongerCompiled,
  type ManagedOnCluster,
} from './managed-add-ons.ts';
import { locatedWorks } from './hosting.ts';
import { waitsForHooks } from './hooks/hook-finalizer.ts';
import { isListNewer } from './override-inventory/managed-fields.ts';
import { remove } from './registration/apply-permissions.ts';
import { withOwner } from './registration/owner-reference.ts';
import { register } from './registration/register.ts';
import { TokenRegistrations } from './token-registration/token-registrations.ts';
import { managedClusterAddOns } from '../add-on/managed-cluster-add-ons.ts';
import { clusterManagementAddOns, manifestWorks } from './resources.ts';

/** Status writes for one add-on on one cluster: this number at once, and one more each time after some milliseconds. */
const statusWrites = { burst: 20, refill: 5000 };
/** Milliseconds between two log lines about a status that is changed repeatedly. */
const complaint = 600_000;

/**
 * Limits how often a status is written. The agent of a cluster may change it as often as it likes, and each change is
 * corrected.
 */
interface WriteBudgets {
  readonly writes: Budgets;
  readonly complaints: Budgets;
}

/** Registers the add-ons that the companion manages, and reports their conditions, on every cluster. */
export function addOnController(context: ControllerContext): Controller {
  const { clock } = context;
  const budgets = {
    writes: new Budgets({ clock, ...statusWrites }),
    complaints: new Budgets({ clock, burst: 1, refill: complaint }),
  };
  const tokens = new TokenRegistrations(context);
  return {
    name: 'add-on',
    workers: context.settings.workers,
    sources: addOnSources(context),
    reconcile: async (key, { signal }) => {
      const addOnOnCluster = managed(context, key);
      // Before any step that may wait or fail: a cluster that the hub does not accept must have no permissions.
      if (addOnOnCluster === 'gone' || !isAccepted(context, key))
        await removePermissions(context, key, signal);
      if (addOnOnCluster === 'gone') await tokens.release(key, signal);
      if (addOnOnCluster === 'removed-from-git') await leave(context, key, signal);
      else if (typeof addOnOnCluster === 'object')
        return await reconcile(context, addOnOnCluster, { ...budgets, tokens }, signal);
      return undefined;
    },
  };
}

/**
 * Returns `gone` if no object of the companion may stay, `removed-from-git` if Git no longer has the add-on on that cluster, and
 * `later` if there is nothing to do now.
 */
function managed(
  { informers, settings }: ControllerContext,
  key: ObjectKey,
): ManagedOnCluster | 'gone' | 'removed-from-git' | 'later' {
  const { name, namespace = '' } = nameOfKey(key);
  const onCluster = informers.managedClusterAddOns.store.get(key);
  const addOn = informers.clusterManagementAddOns.store.get(name);
  // Its agent and its hooks may still clean up, even if the ClusterManagementAddOn is deleted already.
  if (onCluster !== undefined && isCompiled(onCluster) && waitsForHooks(onCluster)) return 'later';
  if (onCluster === undefined || addOn === undefined) return 'gone';
  if (!isCompanionManaged(addOn, settings.addOn) && !isNoLongerCompiled(addOn, onCluster)) return 'gone';
  // If a user deletes the add-on and orphans its objects, an owner that is set again in the meantime would delete
  // them.
  if (addOn.metadata.deletionTimestamp !== undefined) return 'later';
  const cluster = informers.managedClusters.store.get(namespace);
  // While it is being deleted its agent may still clean up.
  if (onCluster.metadata.deletionTimestamp !== undefined) return 'later';
  if (isNoLongerCompiled(addOn, onCluster)) return 'removed-from-git';
  if (cluster === undefined) return 'later';
  return { key, addOn, onCluster, cluster };
}

/** Whether the hub accepts the cluster, which must exist. */
function isAccepted({ informers }: ControllerContext, key: ObjectKey): boolean {
  const cluster = informers.managedClusters.store.get(nameOfKey(key).namespace ?? '');
  return cluster?.spec?.hubAcceptsClient === true;
}

/** Each cache may be stale: before a deletion, the object is compared with the state of the API server. */
async function leave({ client, log }: ControllerContext, key: ObjectKey, signal: AbortSignal): Promise<void> {
  const name = nameOfKey(key);
  const addOn = await client.get(clusterManagementAddOns, { name: name.name }, signal);
  const onCluster = await client.get(managedClusterAddOns, name, signal);
  if (addOn === undefined || onCluster === undefined || !isNoLongerCompiled(addOn, onCluster)) return;
  // Git's objects are applied in any order: the list may arrive after the cluster that it names.
  if (isCompiled(addOn) && !isListNewer(addOn, clustersAnnotation, onCluster, deliveryAnnotation)) return;
  const { uid, resourceVersion } = onCluster.metadata;
  log.info({ object: key }, 'is no longer in Git: the add-on leaves the cluster');
  await client.delete(managedClusterAddOns, name, { uid, resourceVersion, signal });
}

async function removePermissions(
  { client, informers }: ControllerContext,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<void> {
  for (const binding of informers.roleBindings.store.by('holder', key)) await remove(client, binding, signal);
}

function holdsPermissions({ informers }: ControllerContext, key: ObjectKey): boolean {
  return informers.roleBindings.store.by('holder', key).length > 0;
}

async function reconcile(
  context: ControllerContext,
  addOnOnCluster: ManagedOnCluster,
  { tokens, ...budgets }: WriteBudgets & { readonly tokens: TokenRegistrations },
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { client, informers, clock } = context;
  const { addOn, onCluster, cluster } = addOnOnCluster;
  const { resourceVersion } = onCluster.metadata;
  const ownerReferences = withOwner(onCluster.metadata, addOn, context.ownerVersion);
  if (ownerReferences !== undefined) {
    // First, so that an invalid object of a cluster does not prevent the removal of permissions. An agent without
    // permissions gets them after the owner: the garbage collector requests every owner of a binding that it does not
    // know yet.
    if (holdsPermissions(context, addOnOnCluster.key)) await register(context, addOnOnCluster, signal);
    // The rest follows when the change arrives.
    const patch = { metadata: { resourceVersion, ownerReferences } };
    await client.merge(managedClusterAddOns, onCluster.metadata, patch, { signal });
    return undefined;
  }
  const registering = await register(context, addOnOnCluster, signal);
  const token = await tokens.reconcile(onCluster, registering.token, signal);
  const { works, hosting } = locatedWorks(
    onCluster,
    informers.manifestWorks.store.by('addOn', addOnOnCluster.key),
    (name) => informers.managedClusters.store.get(name),
  );
  if (isCompiled(addOn)) await setOwnerOfWorks(context, onCluster, works, signal);
  const configs = await configFacts(context, addOnOnCluster, configsOf(addOn, onCluster));
  const status = addOnStatus(
    {
      addOn,
      onCluster,
      cluster,
      template: registering.template,
      deploymentConfig: registering.deploymentConfig,
      factsOf: (config) => configs.get(configKey(config)) ?? missingConfig('does not exist'),
      works,
      hosting,
      permissionError: registering.error,
      token: token.state,
    },
    clock.now(),
  );
  const changed = changedFields(onCluster.status ?? {}, status);
  const wait = changed === undefined ? 0 : writeDelay(context, addOnOnCluster.key, budgets);
  if (changed !== undefined && wait === 0) {
    const patch = { metadata: { resourceVersion }, status: changed };
    await client.merge(managedClusterAddOns, onCluster.metadata, patch, { subresource: 'status', signal });
  }
  const cause = registering.cause ?? token.cause;
  if (cause !== undefined) throw cause;
  const retryDelays = [...configs.values()].flatMap(({ retryAfter = [] }) => retryAfter);
  if (token.requeueAfter !== undefined) retryDelays.push(token.requeueAfter);
  if (wait > 0) retryDelays.push(wait);
  return retryDelays.length === 0 ? undefined : { requeueAfter: Math.min(...retryDelays) };
}

/**
 * Returns the number of milliseconds until the status of an add-on on a cluster may be written; takes from its budget
 * if that is now.
 */
function writeDelay(
  { log }: ControllerContext,
  key: ObjectKey,
  { writes, complaints }: WriteBudgets,
): number {
  if (writes.take(key)) return 0;
  if (complaints.take(key))
    log.warn(
      { object: key, correctedEveryMs: statusWrites.refill },
      'another client changes the status of an add-on again and again',
    );
  return writes.wait(key);
}

/** Works come from Git, which knows no uids: only here they can get their add-on as owner. */
async function setOwnerOfWorks(
  { client, ownerVersion }: ControllerContext,
  onCluster: Stored<ManagedClusterAddOnV1alpha1>,
  works: readonly Stored<ManifestWorkV1>[],
  signal: AbortSignal,
): Promise<void> {
  for (const { metadata } of works) {
    const ownerReferences = withOwner(metadata, onCluster, ownerVersion);
    if (ownerReferences === undefined || metadata.deletionTimestamp !== undefined) continue;
    const patch = { metadata: { resourceVersion: metadata.resourceVersion, ownerReferences } };
    await client.merge(manifestWorks, metadata, patch, { signal });
  }
}

/** Returns the fields of a status that differ; undefined if there are none. */
function changedFields(current: object, decided: object): object | undefined {
  const before = new Map(Object.entries(current));
  const changed = Object.entries(decided).filter(
    ([name, value]) => value !== undefined && goJson(before.get(name) ?? null) !== goJson(value),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

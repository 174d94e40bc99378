import { goJson } from '../../encoding/go-json.ts';
import { clustersAnnotation, deliveryAnnotation } from '../../schemas/own-annotations.ts';
import type { ManagedClusterAddOnV1alpha1, ManifestWorkV1 } from '../../schemas/types.gen.ts';
import { Budgets } from '../events/budgets.ts';
import { nameOfKey, type ObjectKey, type Stored } from '../kube/object.ts';
import type { Controller } from '../queue/controller.ts';
import type { ReconcileResult } from '../queue/workers.ts';
import { addOnSources } from './add-on-sources.ts';
import { addOnStatus } from './add-on-status.ts';
import { configFacts } from './configuration/config-facts.ts';
import { configKey, effectiveConfigs, missingConfig } from './configuration/config-references.ts';
import type { HubContext } from './hub-context.ts';
import {
  isCompanionManaged,
  isCompiled,
  isNoLongerCompiled,
  type ManagedOnCluster,
} from './managed-add-ons.ts';
import { isListNewer } from './override-inventory/written-fields.ts';
import { remove } from './registration/apply-permissions.ts';
import { withOwner } from './registration/owner-reference.ts';
import { register } from './registration/register.ts';
import { clusterManagementAddOns, managedClusterAddOns, manifestWorks } from './resources.ts';

/** Status writes for one add-on on one cluster: this number at once, and one more each time after some milliseconds. */
const statusWrites = { burst: 20, refill: 5000 };
/** Milliseconds between two lines of the log about a status that is changed all the time. */
const complaint = 600_000;

/** How often a status is written. The agent of a cluster may change it as often as it likes, and each change is corrected. */
interface WriteBudgets {
  readonly writes: Budgets;
  readonly complaints: Budgets;
}

/** Registers the add-ons that the companion manages, and reports their condition, on every cluster. */
export function addOnController(context: HubContext): Controller {
  const { clock } = context;
  const budgets = {
    writes: new Budgets({ clock, ...statusWrites }),
    complaints: new Budgets({ clock, burst: 1, refill: complaint }),
  };
  return {
    name: 'add-on',
    workers: context.settings.workers,
    sources: addOnSources(context),
    reconcile: async (key, { signal }) => {
      const found = managed(context, key);
      // Before all that may have to wait or may fail: whom the hub does not accept may do nothing.
      if (found === 'gone' || !isAccepted(context, key)) await removePermissions(context, key, signal);
      if (found === 'left') await leave(context, key, signal);
      else if (typeof found === 'object') return await reconcile(context, found, budgets, signal);
      return undefined;
    },
  };
}

/**
 * `gone` where nothing of the companion may stay; `left` where Git no longer has the add-on on that cluster; `later` where
 * nothing is to be done now.
 */
function managed(
  { informers, settings }: HubContext,
  key: ObjectKey,
): ManagedOnCluster | 'gone' | 'left' | 'later' {
  const { name, namespace = '' } = nameOfKey(key);
  const onCluster = informers.managedClusterAddOns.store.get(key);
  const addOn = informers.clusterManagementAddOns.store.get(name);
  if (onCluster === undefined || addOn === undefined || !isCompanionManaged(addOn, settings.addOn))
    return 'gone';
  // Who deletes it and keeps what it owns would lose that, were it given to it again meanwhile.
  if (addOn.metadata.deletionTimestamp !== undefined) return 'later';
  const cluster = informers.managedClusters.store.get(namespace);
  // While it is being deleted its agent may still clean up.
  if (onCluster.metadata.deletionTimestamp !== undefined) return 'later';
  if (isNoLongerCompiled(addOn, onCluster)) return 'left';
  if (cluster === undefined) return 'later';
  return { key, addOn, onCluster, cluster };
}

/** Whether the hub accepts the cluster, which has to be there. */
function isAccepted({ informers }: HubContext, key: ObjectKey): boolean {
  const cluster = informers.managedClusters.store.get(nameOfKey(key).namespace ?? '');
  return cluster?.spec?.hubAcceptsClient === true;
}

/** Caches may be behind, each on its own: what is deleted is held against what the API server has. */
async function leave({ client, log }: HubContext, key: ObjectKey, signal: AbortSignal): Promise<void> {
  const name = nameOfKey(key);
  const addOn = await client.get(clusterManagementAddOns, { name: name.name }, signal);
  const onCluster = await client.get(managedClusterAddOns, name, signal);
  if (addOn === undefined || onCluster === undefined || !isNoLongerCompiled(addOn, onCluster)) return;
  // Nothing says in which order Git's objects are applied: the list may come after the cluster that it names.
  if (!isListNewer(addOn, clustersAnnotation, onCluster, deliveryAnnotation)) return;
  const { uid, resourceVersion } = onCluster.metadata;
  log.info({ object: key }, 'is no longer in Git: the add-on leaves the cluster');
  await client.delete(managedClusterAddOns, name, { uid, resourceVersion, signal });
}

async function removePermissions(
  { client, informers }: HubContext,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<void> {
  for (const binding of informers.roleBindings.store.by('holder', key)) await remove(client, binding, signal);
}

function holdsPermissions({ informers }: HubContext, key: ObjectKey): boolean {
  return informers.roleBindings.store.by('holder', key).length > 0;
}

async function reconcile(
  context: HubContext,
  found: ManagedOnCluster,
  budgets: WriteBudgets,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { client, informers, clock } = context;
  const { addOn, onCluster, cluster } = found;
  const { resourceVersion } = onCluster.metadata;
  const ownerReferences = withOwner(onCluster.metadata, addOn, context.ownerVersion);
  if (ownerReferences !== undefined) {
    // First, so that nothing that is wrong with the objects of a cluster keeps permissions from being taken away. Who has none
    // gets them after the owner: the garbage collector asks for every owner of a binding that it does not know yet.
    if (holdsPermissions(context, found.key)) await register(context, found, signal);
    // The rest follows when the change arrives.
    const patch = { metadata: { resourceVersion, ownerReferences } };
    await client.merge(managedClusterAddOns, onCluster.metadata, patch, { signal });
    return undefined;
  }
  const registering = await register(context, found, signal);
  const works = informers.manifestWorks.store.by('addOn', found.key);
  if (isCompiled(addOn)) await ownWorks(context, onCluster, works, signal);
  const configs = await configFacts(context, found, effectiveConfigs(addOn, onCluster));
  const status = addOnStatus(
    {
      addOn,
      onCluster,
      cluster,
      template: registering.template,
      deploymentConfig: registering.deploymentConfig,
      factsOf: (config) => configs.get(configKey(config)) ?? missingConfig('is not there'),
      works,
      permissionError: registering.error,
    },
    clock.now(),
  );
  const changed = changedFields(onCluster.status ?? {}, status);
  const wait = changed === undefined ? 0 : writeDelay(context, found.key, budgets);
  if (changed !== undefined && wait === 0) {
    const patch = { metadata: { resourceVersion }, status: changed };
    await client.merge(managedClusterAddOns, onCluster.metadata, patch, { subresource: 'status', signal });
  }
  if (registering.cause !== undefined) throw registering.cause;
  const askAgain = [...configs.values()].flatMap(({ askAgain = [] }) => askAgain);
  if (wait > 0) askAgain.push(wait);
  return askAgain.length === 0 ? undefined : { requeueAfter: Math.min(...askAgain) };
}

/** Milliseconds until the status of an add-on on a cluster may be written; takes from its budget where that is now. */
function writeDelay({ log }: HubContext, key: ObjectKey, { writes, complaints }: WriteBudgets): number {
  if (writes.take(key)) return 0;
  if (complaints.take(key))
    log.warn(
      { object: key, correctedEveryMs: statusWrites.refill },
      'somebody else changes the status of an add-on again and again',
    );
  return writes.wait(key);
}

/** Works come from Git, which knows no uids: only here they can be made to go with their add-on. */
async function ownWorks(
  { client, ownerVersion }: HubContext,
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

/** Fields of a status that differ; undefined where none does. */
function changedFields(held: object, decided: object): object | undefined {
  const before = new Map(Object.entries(held));
  const changed = Object.entries(decided).filter(
    ([name, value]) => value !== undefined && goJson(before.get(name) ?? null) !== goJson(value),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

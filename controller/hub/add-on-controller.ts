import { goJson } from '../../encoding/go-json.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../schemas/types.gen.ts';
import { clustersAnnotation, deliveryAnnotation } from '../../schemas/own-annotations.ts';
import { ApiError, isConflict } from '../kube/api-error.ts';
import { keyOfName, nameOfKey, type ObjectKey, type Stored } from '../kube/object.ts';
import type { Controller } from '../queue/controller.ts';
import type { ReconcileResult } from '../queue/workers.ts';
import { addOnSources } from './add-on-sources.ts';
import { addOnStatus } from './add-on-status.ts';
import { factsOf } from './configuration/followed-configs.ts';
import {
  configKey,
  effectiveConfigs,
  missingConfig,
  type ConfigFacts,
  type ConfigName,
} from './configuration/config-references.ts';
import type { HubContext } from './hub-context.ts';
import {
  isCompanionManaged,
  isCompiled,
  isDeploymentConfig,
  isNoLongerCompiled,
  isSupported,
  isTemplate,
  templateNameOf,
} from './managed-add-ons.ts';
import { isListNewer } from './override-inventory/written-fields.ts';
import { applyPermissions, remove } from './registration/apply-permissions.ts';
import { hubPermissions } from './registration/hub-permissions.ts';
import { withOwner } from './registration/owner-reference.ts';
import { agentUser, tokenUser } from './registration/registrations.ts';
import { clusterManagementAddOns, managedClusterAddOns, manifestWorks } from './resources.ts';

/** Registers the add-ons that the companion looks after, and tells how they are, on every cluster. */
export function addOnController(context: HubContext): Controller {
  return {
    name: 'add-on',
    workers: context.settings.workers,
    sources: addOnSources(context),
    reconcile: async (key, { signal }) => {
      const found = managed(context, key);
      // Before all that may have to wait or may fail: whom the hub does not accept may do nothing.
      if (found === 'gone' || !isAccepted(context, key)) await removePermissions(context, key, signal);
      if (found === 'left') await leave(context, key, signal);
      else if (typeof found === 'object') return await reconcile(context, found, signal);
      return undefined;
    },
  };
}

interface Managed {
  readonly key: ObjectKey;
  readonly addOn: Stored<ClusterManagementAddOnV1alpha1>;
  readonly onCluster: Stored<ManagedClusterAddOnV1alpha1>;
  readonly cluster: Stored<ManagedClusterV1>;
}

/**
 * `gone` where nothing of the companion may stay; `left` where Git no longer has the add-on on that cluster; `later` where
 * nothing is to be done now.
 */
function managed({ informers, settings }: HubContext, key: ObjectKey): Managed | 'gone' | 'left' | 'later' {
  const { name, namespace = '' } = nameOfKey(key);
  const onCluster = informers.managedClusterAddOns.store.get(key);
  const addOn = informers.clusterManagementAddOns.store.get(name);
  if (onCluster === undefined || addOn === undefined || !isCompanionManaged(addOn, settings.addOn))
    return 'gone';
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

async function reconcile(
  context: HubContext,
  found: Managed,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { client, informers, clock } = context;
  const { addOn, onCluster, cluster } = found;
  const { resourceVersion } = onCluster.metadata;
  // First, so that nothing that is wrong with the objects of a cluster keeps permissions from being taken away.
  const registering = await register(context, found, signal);
  const ownerReferences = withOwner(onCluster.metadata, addOn, context.ownerVersion);
  if (ownerReferences !== undefined) {
    // The rest follows when the change arrives.
    const patch = { metadata: { resourceVersion, ownerReferences } };
    await client.merge(managedClusterAddOns, onCluster.metadata, patch, { signal });
    return undefined;
  }
  const works = informers.manifestWorks.store.by('addOn', found.key);
  if (isCompiled(addOn)) await ownWorks(context, onCluster, works, signal);
  const configs = await configFacts(context, addOn, effectiveConfigs(addOn, onCluster));
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
  if (changed !== undefined) {
    const patch = { metadata: { resourceVersion }, status: changed };
    await client.merge(managedClusterAddOns, onCluster.metadata, patch, { subresource: 'status', signal });
  }
  if (registering.cause !== undefined) throw registering.cause;
  const askAgain = [...configs.values()].flatMap(({ askAgain = [] }) => askAgain);
  return askAgain.length === 0 ? undefined : { requeueAfter: Math.min(...askAgain) };
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

/**
 * Of kinds that the definition of the add-on does not support nothing is looked up: whoever may name configurations for one
 * cluster would have any kind listed, of all namespaces, and learn its hashes.
 */
async function configFacts(
  { informers, configs }: HubContext,
  addOn: ClusterManagementAddOnV1alpha1,
  names: readonly ConfigName[],
): Promise<ReadonlyMap<string, ConfigFacts>> {
  const facts = new Map<string, ConfigFacts>();
  for (const config of names) {
    const { namespace, name } = config;
    const own = isTemplate(config)
      ? informers.addOnTemplates
      : isDeploymentConfig(config)
        ? informers.addOnDeploymentConfigs
        : undefined;
    const key = keyOfName(namespace === '' ? { name } : { namespace, name });
    const object = own?.store.get(key);
    if (object !== undefined) facts.set(configKey(config), factsOf(object));
    else if (own === undefined)
      facts.set(
        configKey(config),
        isSupported(addOn, config)
          ? await configs.facts(config)
          : missingConfig('is of a kind that the add-on does not list'),
      );
  }
  return facts;
}

interface Registering {
  readonly template: AddOnTemplateV1alpha1 | undefined;
  readonly deploymentConfig: AddOnDeploymentConfigV1alpha1 | undefined;
  /** What stands in the condition. */
  readonly error: string | undefined;
  /** What is to be tried again. */
  readonly cause?: unknown;
}

/** Sets the permissions of the agent on the hub, as far as its template and the API server let it. */
async function register(
  { client, informers, ownerVersion }: HubContext,
  { key, addOn, onCluster, cluster }: Managed,
  signal: AbortSignal,
): Promise<Registering> {
  const name = templateNameOf(addOn, onCluster);
  const template = name === undefined ? undefined : informers.addOnTemplates.store.get(name);
  const config = effectiveConfigs(addOn, onCluster).find(isDeploymentConfig);
  const deploymentConfig =
    config === undefined ? undefined : informers.addOnDeploymentConfigs.store.get(keyOfName(config));
  const found = { template, deploymentConfig };
  const { name: clusterName } = cluster.metadata;
  if (cluster.spec?.hubAcceptsClient !== true)
    return { ...found, error: `the hub does not accept the cluster ${clusterName}` };
  if (name !== undefined && template === undefined)
    return { ...found, error: `addontemplates.addon.open-cluster-management.io "${name}" not found` };
  if (config !== undefined && deploymentConfig === undefined)
    return {
      ...found,
      error: `addondeploymentconfigs.addon.open-cluster-management.io "${config.name}" not found`,
    };
  const onThis = { addOn: addOn.metadata.name, cluster: clusterName };
  const user = onCluster.status?.kubeClientDriver === 'token' ? tokenUser(onThis) : agentUser(onThis);
  const owner = { apiVersion: ownerVersion, uid: onCluster.metadata.uid };
  const permissions =
    template === undefined ? { bindings: [] } : hubPermissions(template, { ...onThis, owner, user });
  if ('error' in permissions) return { ...found, error: permissions.error };
  try {
    await applyPermissions(
      client,
      permissions.bindings,
      informers.roleBindings.store.by('holder', key),
      signal,
    );
  } catch (cause) {
    // Another writer was first: nothing that anybody has to be told.
    if (!(cause instanceof ApiError) || isConflict(cause)) throw cause;
    return { ...found, error: cause.status.message, cause };
  }
  return { ...found, error: undefined };
}

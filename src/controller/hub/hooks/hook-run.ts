import type {
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../../../schemas/types.gen.ts';
import { keyOf, type ObjectName, type Stored } from '../../../client/object.ts';
import { addOnUidAnnotation, preDeleteHooksAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { addOnNamespaceLabel, hostingClusterOf, hostingWorkPrefix } from '../../../ocm/hosted-mode.ts';
import { hookWorkName, hostingPreDeleteHook, preDeleteHook } from '../../../ocm/hook-work.ts';
import type { HubInformers } from '../hub-informers.ts';

type OnCluster = Stored<ManagedClusterAddOnV1alpha1>;

/** The pre-delete hooks of an add-on that one cluster runs. */
export interface HookRun {
  readonly location: 'managed' | 'hosting';
  /** The finalizer that waits for them. */
  readonly finalizer: string;
  /** The name of their work, and the cluster in whose namespace it is. */
  readonly workName: string;
  readonly clusterName: string;
  /** Undefined if the hub does not have the cluster. */
  readonly cluster: Stored<ManagedClusterV1> | undefined;
  /** Their work in the cache, of this ManagedClusterAddOn or of an earlier one. */
  readonly work: Stored<ManifestWorkV1> | undefined;
  /** On the hosting cluster: the work from Git that has them in an annotation. On the managed cluster, the ManagedClusterAddOn has them. */
  readonly holder?: ObjectName | undefined;
}

/**
 * Returns the hooks of an add-on on a cluster by the cluster that runs them. As addon-framework defaultHookSyncer and
 * hostedHookSyncer: hooks on a hosting cluster that the hub does not have, or that is being deleted, are not run.
 *
 * Hooks for the hosting cluster count only in a work in its namespace: those who may write the ManagedClusterAddOn of one cluster
 * must not be able to run anything on another.
 */
export function hookRuns(informers: Caches, onCluster: OnCluster): readonly HookRun[] {
  return [managedRun(informers, onCluster), hostingRun(informers, onCluster)].filter(
    (run) => run !== undefined,
  );
}

type Caches = Pick<HubInformers, 'managedClusters' | 'manifestWorks'>;

function managedRun(
  { managedClusters, manifestWorks }: Caches,
  { metadata }: OnCluster,
): HookRun | undefined {
  if (metadata.annotations?.[preDeleteHooksAnnotation] === undefined) return undefined;
  const { name, namespace = '' } = metadata;
  const workName = hookWorkName(name);
  return {
    location: 'managed',
    finalizer: preDeleteHook,
    workName,
    clusterName: namespace,
    cluster: managedClusters.store.get(namespace),
    work: manifestWorks.store.get(`${namespace}/${workName}`),
  };
}

function hostingRun({ managedClusters, manifestWorks }: Caches, onCluster: OnCluster): HookRun | undefined {
  const { name, namespace = '' } = onCluster.metadata;
  const clusterName = hostingClusterOf(onCluster);
  const cluster = clusterName === undefined ? undefined : managedClusters.store.get(clusterName);
  if (clusterName === undefined || cluster === undefined || cluster.metadata.deletionTimestamp !== undefined)
    return undefined;
  const workName = hookWorkName(name, namespace);
  const work = manifestWorks.store.get(`${clusterName}/${workName}`);
  const holder = manifestWorks.store
    .by('addOn', keyOf(onCluster))
    .find((each) => each.metadata.namespace === clusterName && holdsHooks(each, onCluster));
  if (holder === undefined && (work === undefined || !isWorkOf(work, onCluster))) return undefined;
  return {
    location: 'hosting',
    finalizer: hostingPreDeleteHook,
    workName,
    clusterName,
    cluster,
    work,
    holder: holder?.metadata,
  };
}

/** Whether a work delivers an add-on to its hosting cluster. */
export function isHostingWork({ metadata }: Stored<ManifestWorkV1>, onCluster: ObjectName): boolean {
  const { name, namespace = '' } = onCluster;
  return (
    metadata.labels?.[addOnNamespaceLabel] === namespace &&
    metadata.name.startsWith(hostingWorkPrefix(name, namespace))
  );
}

function holdsHooks(work: Stored<ManifestWorkV1>, onCluster: OnCluster): boolean {
  return (
    work.metadata.annotations?.[preDeleteHooksAnnotation] !== undefined &&
    isHostingWork(work, onCluster.metadata)
  );
}

/** Whether a work with hooks is that of a ManagedClusterAddOn, not of an earlier one of its name. */
export function isWorkOf({ metadata }: Stored<ManifestWorkV1>, onCluster: OnCluster): boolean {
  const { uid } = onCluster.metadata;
  return (
    metadata.annotations?.[addOnUidAnnotation] === uid ||
    metadata.ownerReferences?.some((owner) => owner.uid === uid) === true
  );
}

/**
 * Returns why hooks on the hosting cluster cannot be run; undefined if Git has none. As addon-framework hostedHookSyncer, which
 * removes its finalizer in these cases, and does the same if the add-on is no longer hosted: there, the finalizer would stay.
 */
export function whyNotHosted(
  { managedClusters, manifestWorks }: Caches,
  onCluster: OnCluster,
): string | undefined {
  const name = hostingClusterOf(onCluster);
  if (name === undefined) return 'the add-on is not in hosted mode any more';
  const cluster = managedClusters.store.get(name);
  if (cluster === undefined) return `the hub does not have hosting cluster ${name}`;
  if (cluster.metadata.deletionTimestamp !== undefined) return `hosting cluster ${name} is being deleted`;
  const isDelivered = manifestWorks.store
    .by('addOn', keyOf(onCluster))
    .some((work) => work.metadata.namespace === name && isHostingWork(work, onCluster.metadata));
  return isDelivered ? undefined : `hosting cluster ${name} has no work that contains them`;
}

/** Returns the finalizers of an add-on that stays and has no such hooks any more. */
export function obsoleteFinalizers(informers: Caches, onCluster: OnCluster): readonly string[] {
  const { annotations, finalizers = [] } = onCluster.metadata;
  const awaited = new Set(hookRuns(informers, onCluster).map(({ finalizer }) => finalizer));
  const isHosted = hostingClusterOf(onCluster) !== undefined;
  return [
    ...(annotations?.[preDeleteHooksAnnotation] === undefined ? [preDeleteHook] : []),
    ...(!isHosted || whyNotHosted(informers, onCluster) === undefined ? [hostingPreDeleteHook] : []),
  ].filter((finalizer) => finalizers.includes(finalizer) && !awaited.has(finalizer));
}

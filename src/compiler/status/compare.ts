import { conditionOf } from '../../base/objects/condition.ts';
import type { ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import { moment } from '../../base/time/rfc3339.ts';
import { tokenInfrastructureReady, usesToken } from '../../ocm/token-infrastructure.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { isHubOwned } from '../model/hub-owned.ts';
import { objectKey, type LoadedObject } from '../model/inventory.ts';
import { installPlacements } from '../../ocm/install-strategy.ts';
import type { ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { Resolution } from '../resolve.ts';
import { desiredOn, freshState, progressOf, stateOf } from '../rollout/simulation/cluster-state.ts';
import { expiryOf } from './causes/certificate.ts';
import { signersOf, tokenExpiryOf, tokenRefreshed } from './causes/token.ts';
import type { HeldBack, Suspect } from './evidence.ts';
import { observedAddOns, type ObservedAddOn } from './observation.ts';
import { excludedByTaints } from './taints.ts';

/** The state of a hub, and what is predicted for it. */
export interface StatusInput {
  /** The working tree, resolved for the fleet and the statuses of the hub. */
  readonly resolution: Resolution;
  /** The objects of the hub, ManagedClusterAddOns with their whole status. */
  readonly held: readonly LoadedObject[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The release of the hub. */
  readonly hub?: HubVersion;
  /** Whether the prediction is made from the objects of the hub, which are then applied. @default false */
  readonly isApplied?: boolean;
  /** Returns what an add-on on a cluster waits for, if a promotion holds the content back. @default - nothing waits */
  readonly promotionOf?: (addOn: ResolvedAddOn, suspect: Suspect) => HeldBack | undefined;
}

/** One add-on, with the clusters that need a closer look. */
export interface ComparedAddOn {
  readonly addOn: ResolvedAddOn;
  /** The number of clusters that are certainly as predicted. */
  readonly asPredicted: number;
  readonly suspects: readonly Suspect[];
  /** The clusters that have the configuration and are not ready, sorted by name. */
  readonly changing: readonly string[];
  /** The clusters that only a taint excludes, by name. */
  readonly excluded: ReadonlyMap<string, ManagedClusterV1Taint>;
}

/**
 * Compares every ManagedClusterAddOn with the prediction. This is cheap, so that only the suspects have to be read closer.
 *
 * @param names - the add-ons to compare. @default - all that the app has
 */
export function compareWithHub(
  { resolution, held, now }: StatusInput,
  names?: ReadonlySet<string>,
): readonly ComparedAddOn[] {
  const { configuration, inventory } = resolution;
  const observed = observedAddOns(held);
  const compared: ComparedAddOn[] = [];
  for (const addOn of configuration.values()) {
    if (names === undefined ? addOn.isHubOwned === true : !names.has(addOn.name)) continue;
    const onHub = observed.get(addOn.name) ?? new Map<string, ObservedAddOn>();
    const excluded = excludedFrom(addOn, resolution);
    const suspects: Suspect[] = [];
    for (const expected of addOn.clusters.values()) {
      const { cluster } = expected;
      const observedAddOn = onHub.get(cluster);
      const admitted = inventory.managedClusterAddOns.get(objectKey(cluster, addOn.name));
      if (observedAddOn === undefined) {
        suspects.push({ cluster, progress: 'missing', expected, observed: undefined });
        continue;
      }
      const state = admitted === undefined ? freshState : stateOf(admitted.object);
      // Without a manager, the configuration has no effect that could be compared.
      const progress = addOn.managed ? progressOf(state, desiredOn(expected, state)).progress : 'Succeeded';
      if (progress !== 'Succeeded' || !isHealthy(observedAddOn, now))
        suspects.push({ cluster, progress, expected, observed: observedAddOn });
    }
    const asPredicted = addOn.clusters.size - suspects.length;
    for (const [cluster, observedAddOn] of onHub) {
      if (addOn.clusters.has(cluster)) continue;
      suspects.push({ cluster, progress: 'unexpected', expected: undefined, observed: observedAddOn });
    }
    const changing = suspects
      .filter(({ progress }) => progress === 'Progressing' || progress === 'Failed')
      .map(({ cluster }) => cluster)
      .sort();
    compared.push({ addOn, asPredicted, suspects, changing, excluded });
  }
  return compared;
}

/** Returns the comparison for some clusters only, without add-ons that are on none of them. */
export function onClusters(
  compared: readonly ComparedAddOn[],
  clusters: ReadonlySet<string>,
): readonly ComparedAddOn[] {
  return compared.flatMap((each) => {
    const suspects = each.suspects.filter(({ cluster }) => clusters.has(cluster));
    const excluded = new Map([...each.excluded].filter(([cluster]) => clusters.has(cluster)));
    const predicted = [...clusters].filter((cluster) => each.addOn.clusters.has(cluster)).length;
    const asPredicted = predicted - suspects.filter(({ expected }) => expected !== undefined).length;
    const isAbsent = asPredicted + suspects.length + excluded.size === 0;
    return isAbsent ? [] : [{ ...each, asPredicted, suspects, excluded }];
  });
}

/** Returns the names of the add-ons that the hub has and the app does not. */
export function addOnsNotInGit({ inventory }: Resolution): readonly string[] {
  return [...inventory.clusterManagementAddOns]
    .filter(([, admitted]) => isHubOwned(admitted))
    .map(([name]) => name)
    .sort();
}

/** Whether a ManagedClusterAddOn reports no problem at all. Anything else is looked at again. */
function isHealthy(observed: ObservedAddOn, now: number): boolean {
  const { metadata, status } = observed;
  if (metadata.deletionTimestamp !== undefined) return false;
  const conditions = status?.conditions;
  const statusOf = (type: string): string | undefined => conditionOf(conditions, type)?.status;
  if (statusOf('Available') !== 'True' || statusOf('Degraded') === 'True') return false;
  if (statusOf('RegistrationApplied') === 'False' || statusOf('ManifestApplied') === 'False') return false;
  const progressing = conditionOf(conditions, 'Progressing');
  if (progressing !== undefined && progressing.reason !== 'Completed') return false;
  if (statusOf('CertificateRequestsServed') === 'False') return false;
  if (usesToken(status ?? {})) {
    const token = conditionOf(conditions, tokenRefreshed);
    if (statusOf(tokenInfrastructureReady) !== 'True' || token?.status !== 'True') return false;
    if ((moment(tokenExpiryOf(token.message)) ?? Infinity) <= now) return false;
  }
  if (signersOf(observed).length === 0) return true;
  const certificate = conditionOf(conditions, 'ClusterCertificateRotated');
  return certificate?.status === 'True' && (expiryOf(certificate.message) ?? Infinity) > now;
}

function excludedFrom(
  addOn: ResolvedAddOn,
  { inventory, decisions }: Resolution,
): ReadonlyMap<string, ManagedClusterV1Taint> {
  const definition = inventory.clusterManagementAddOns.get(addOn.name);
  const excluded = new Map<string, ManagedClusterV1Taint>();
  for (const { namespace, name } of definition === undefined ? [] : installPlacements(definition.object)) {
    const decision = decisions.byPlacement.get(objectKey(namespace, name));
    if (decision === undefined) continue;
    for (const [cluster, taint] of excludedByTaints(decision, decisions))
      if (!addOn.clusters.has(cluster)) excluded.set(cluster, taint);
  }
  return excluded;
}

import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { EffectiveConfiguration, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { freshState, isReleased, released, succeeded, underWay, type ClusterState } from './cluster-state.ts';
import type { Rollout, SimulationOptions } from './simulate-rollout.ts';
import type { AddOnState } from './add-on-state.ts';
import { blamed, type Stop } from '../stop.ts';
import { uninstalledFrom } from './uninstalled.ts';
import type { Wave } from '../wave.ts';

/**
 * Returns the wave in which each cluster of an add-on with compiled delivery changes: the waves of its installation, from 1. They
 * depend only on the placements and strategies, so that a cluster changes its wave only if these change, and never because of its
 * current state. Clusters that the installation never reaches are in the last wave.
 */
export function waveByCluster({ clusters }: ResolvedAddOn, { waves }: Rollout): ReadonlyMap<string, number> {
  const waveNumbers = new Map<string, number>();
  for (const [index, wave] of waves.entries())
    for (const cluster of wave.clusters) if (!waveNumbers.has(cluster)) waveNumbers.set(cluster, index + 1);
  const last = waves.length + 1;
  return new Map(Array.from(clusters.keys(), (cluster) => [cluster, waveNumbers.get(cluster) ?? last]));
}

/**
 * Computes the rollout of an add-on with compiled delivery. The objects in Git are applied wave by wave, and each wave waits
 * until all clusters of the previous wave are healthy. There are no soaks and no deadlines, and one failing cluster blocks all
 * later waves.
 *
 * @param installation - its rollout to clusters that run nothing yet
 */
export function compiledRollout(
  addOn: ResolvedAddOn,
  installation: Rollout,
  from: AddOnState,
  { now, failing, refusing, silent }: Pick<SimulationOptions, 'now' | 'failing' | 'refusing' | 'silent'>,
): Rollout {
  const waveNumbers = waveByCluster(addOn, installation);
  const done = new Map<EffectiveConfiguration, ClusterState>();
  const reached = new Map<string, ClusterState>();
  const waves: Wave[] = [];
  const unready: string[] = [];
  const left: string[] = [];
  for (const wave of [...installation.waves, undefined]) {
    const stopped = unready.length > 0;
    const changing = (wave?.clusters ?? lastOf(waveNumbers, installation.waves.length + 1)).filter(
      (cluster) => changes(addOn, cluster, from),
    );
    if (stopped) for (const cluster of changing) left.push(cluster);
    else if (changing.length > 0) {
      waves.push(waveOf(changing, wave));
      for (const cluster of changing)
        if ([failing, refusing, silent].some((clusters) => clusters?.has(cluster) === true))
          unready.push(cluster);
    }
  }
  const remaining = new Set(left);
  const blocking = new Set(unready);
  for (const [cluster, { effective }] of addOn.clusters) {
    const before = from.get(cluster) ?? freshState;
    if (remaining.has(cluster)) reached.set(cluster, before);
    else if (blocking.has(cluster)) {
      const releasedState = released(before, effective.references);
      reached.set(cluster, underWay(releasedState, now, silent?.has(cluster) === true));
    } else {
      const state = getOrInsertComputed(done, effective, () =>
        succeeded(released(freshState, effective.references), now),
      );
      reached.set(cluster, state);
    }
  }
  return {
    waves,
    configures: true,
    stops: left.length === 0 ? [] : [stopBehind(unready.sort(), left.sort(), refusing)],
    unready: unready.sort(),
    uninstalled: uninstalledFrom(addOn.clusters, from),
    progressions: [],
    settledAfter: 0,
    settledEarliest: 0,
    reached,
    waveNumbers,
  };
}

function lastOf(waveNumbers: ReadonlyMap<string, number>, last: number): string[] {
  return [...waveNumbers].flatMap(([cluster, wave]) => (wave === last ? [cluster] : []));
}

function changes({ clusters }: ResolvedAddOn, cluster: string, from: AddOnState): boolean {
  const references = clusters.get(cluster)?.effective.references;
  return references !== undefined && !isReleased(from.get(cluster) ?? freshState, references);
}

function waveOf(clusters: readonly string[], wave: Wave | undefined): Wave {
  const changing = new Set(clusters);
  const parts = (wave?.parts ?? [{ cause: 'no placement' as const, clusters }])
    .map((part) => ({ ...part, clusters: part.clusters.filter((cluster) => changing.has(cluster)) }))
    .filter((part) => part.clusters.length > 0);
  return { after: 0, earliest: 0, clusters, parts, progressions: [] };
}

function stopBehind(
  culprits: readonly string[],
  left: readonly string[],
  refusing: ReadonlySet<string> | undefined,
): Stop {
  const isRefused = culprits.some((cluster) => refusing?.has(cluster) === true);
  const message = `waits for ${blamed(culprits, refusing)}${isRefused ? ',' : ''} to become healthy, without a deadline: the add-on is delivered from Git`;
  return { reason: 'under way', message, culprits, left };
}

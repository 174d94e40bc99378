import type { PredictedRollout } from '../../predict-rollout.ts';
import type { Rollout } from '../../rollout/simulation/simulate-rollout.ts';
import type { Rollouts } from '../../rollout/rollout.ts';

/**
 * Returns the clusters that change in each round, over all add-ons: the first waves of all add-ons together, then the second
 * waves. A round is not a point in time, because add-ons do not wait for each other.
 */
export function rounds(rollouts: Rollouts): string[][] {
  const all: Set<string>[] = [];
  for (const { waves } of rollouts.values()) {
    for (const [index, { clusters }] of waves.entries()) {
      const round = (all[index] ??= new Set());
      for (const cluster of clusters) round.add(cluster);
    }
  }
  return all.map((round) => [...round].sort());
}

/** Returns the document that `rollout -o json` prints. */
export function rolloutDocument({ install, update }: Omit<PredictedRollout, 'before'>): object {
  const names = [...new Set([...install.keys(), ...(update?.keys() ?? [])])].sort();
  return {
    install: rounds(install),
    ...(update && { update: rounds(update) }),
    addOns: Object.fromEntries(
      names.map((name) => [name, { install: shown(install.get(name)), update: shown(update?.get(name)) }]),
    ),
  };
}

function shown(rollout: Rollout | undefined): object | undefined {
  if (rollout === undefined) return undefined;
  const { waves, stops, unready, refusing, uninstalled, progressions } = rollout;
  return {
    waves: waves.map(({ after, earliest, clusters, parts, progressions }) => ({
      afterSeconds: after / 1000,
      earliestSeconds: earliest / 1000,
      clusters,
      parts,
      conditions: progressions.map(({ placement, condition }) => ({ placement, ...condition })),
    })),
    stops: stops.map(({ early, ...stop }) => ({
      ...stop,
      ...(early && {
        early: early.map(({ cluster, earliest }) => ({ cluster, earliestSeconds: earliest / 1000 })),
      }),
    })),
    unready,
    ...(refusing && { refusing }),
    uninstalled,
    conditions: progressions.map(({ placement, condition }) => ({ placement, ...condition })),
    settledAfterSeconds: rollout.settledAfter / 1000,
    settledEarliestSeconds: rollout.settledEarliest / 1000,
    startOrder: rollout.startOrder,
  };
}

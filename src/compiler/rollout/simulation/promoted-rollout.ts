import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { mandatoryGroups, reachableGroups } from '../decision-tracker.ts';
import type { RolloutGraph, StrategyNode } from '../graph.ts';
import { blamed, type Stop } from '../stop.ts';
import { sizeOf } from '../strategy/strategy.ts';
import type { Wave } from '../wave.ts';
import type { AddOnState } from './add-on-state.ts';
import { simulateWithQuickAgents } from './quick-agents.ts';
import type { Rollout, SimulationOptions } from './simulate-rollout.ts';

/**
 * Simulates the rollout of an add-on that the hub delivers and a promotion releases: one placement after the other, the last one of the
 * install strategy first. Before the next placement, the promotion waits for the soak of all clusters, which the hub does not hold. It
 * stops at clusters that never become ready, unless their deadline ends and the strategy tolerates their number.
 */
export function promotedRollout(
  addOn: ResolvedAddOn,
  { nodes, unplaced }: RolloutGraph,
  from: AddOnState,
  options: SimulationOptions,
): Rollout {
  const inOrder = nodes.toReversed();
  const waves: Wave[] = [];
  const time = { after: 0, earliest: 0 };
  let part = simulateWithQuickAgents(addOn, { nodes: inOrder.slice(0, 1), unplaced }, from, options);
  const parts = [part];
  for (const [index, node] of inOrder.entries()) {
    const before = inOrder[index - 1];
    if (before !== undefined) {
      if (part.stops.length > 0 || !isTolerated(part.unready, before)) {
        const left = inOrder.slice(index).flatMap(clustersOf).sort();
        const stops = left.length === 0 ? [] : [waitingFor(part, left, options.refusing)];
        return ended({ waves, parts, time, stops });
      }
      part = simulateWithQuickAgents(addOn, { nodes: [node], unplaced: [] }, part.reached, options);
      parts.push(part);
    }
    for (const wave of part.waves)
      waves.push({ ...wave, after: time.after + wave.after, earliest: time.earliest + wave.earliest });
    if (part.waves.length === 0) continue;
    const soak = node.strategy.type === 'All' ? 0 : node.strategy.minSuccessTime;
    time.after += Math.max(part.settledAfter, (part.waves.at(-1)?.after ?? 0) + soak);
    const lastEarliest = Math.max(0, ...part.waves.map(({ earliest }) => earliest)) + soak;
    time.earliest += part.unready.length === 0 ? lastEarliest : Math.max(part.settledEarliest, lastEarliest);
  }
  return ended({ waves, parts, time, stops: [] });
}

function ended({
  waves,
  parts,
  time,
  stops,
}: {
  readonly waves: readonly Wave[];
  readonly parts: readonly Rollout[];
  readonly time: { readonly after: number; readonly earliest: number };
  readonly stops: readonly Stop[];
}): Rollout {
  const last = parts.at(-1);
  if (last === undefined) throw new Error('a promoted rollout has at least one part');
  return {
    ...last,
    waves,
    stops: [...last.stops, ...stops],
    unready: parts.flatMap(({ unready }) => unready).sort(),
    uninstalled: parts[0]?.uninstalled ?? [],
    progressions: parts.flatMap(({ progressions }) => progressions),
    settledAfter: time.after,
    settledEarliest: time.earliest,
  };
}

function clustersOf({ children }: StrategyNode): readonly string[] {
  return [...children.keys()];
}

function waitingFor(
  { stops, unready }: Rollout,
  left: readonly string[],
  refusing: ReadonlySet<string> | undefined,
): Stop {
  const culprits = unready.length > 0 ? unready : stops.flatMap((stop) => stop.culprits);
  const isRefused = culprits.some((cluster) => refusing?.has(cluster) === true);
  const message = isRefused
    ? `the promotion waits for ${blamed(culprits, refusing)}, before the next placement`
    : 'the promotion waits until the placement before is complete';
  return { reason: 'under way', message, culprits, left };
}

/**
 * Returns whether a promotion goes on with these clusters of a placement in progress: they have a deadline, after which they count as
 * failed, and the strategy tolerates their number. The budget is that of sdk-go's RolloutHandler.
 */
function isTolerated(unready: readonly string[], { strategy, groups }: StrategyNode): boolean {
  if (unready.length === 0) return true;
  const { type, maxFailures, progressDeadline } = strategy;
  if (progressDeadline instanceof Error || progressDeadline === Infinity) return false;
  if (type === 'All') return true;
  if (mandatoryGroups(groups, strategy).length > 0) return false;
  const failed = new Set(unready);
  const all = reachableGroups(groups).map(({ clusters }) => clusters);
  const budgets = type === 'Progressive' ? [[...new Set(all.flat())]] : all;
  return budgets.every((clusters) => {
    const limit = sizeOf(maxFailures, clusters.length, 0);
    const count = clusters.filter((cluster) => failed.has(cluster)).length;
    return typeof limit === 'number' && count <= limit;
  });
}

/** Returns the rollout of compiled delivery with the soaks that a promotion holds between its waves. */
export function withSoaks(rollout: Rollout, { nodes }: RolloutGraph): Rollout {
  const soaks = new Map(
    nodes.map(({ placement, strategy }) => [
      placement,
      strategy.type === 'All' ? 0 : strategy.minSuccessTime,
    ]),
  );
  let after = 0;
  const waves = rollout.waves.map((wave): Wave => {
    const timed = { ...wave, after, earliest: after };
    after += Math.max(0, ...wave.parts.map(({ placement }) => soaks.get(placement ?? '') ?? 0));
    return timed;
  });
  return { ...rollout, waves, settledAfter: after, settledEarliest: after };
}

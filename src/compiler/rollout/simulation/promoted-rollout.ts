import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { RolloutGraph, StrategyNode } from '../graph.ts';
import type { Stop } from '../stop.ts';
import type { Wave } from '../wave.ts';
import type { AddOnState } from './add-on-state.ts';
import { simulateWithQuickAgents } from './quick-agents.ts';
import type { Rollout, SimulationOptions } from './simulate-rollout.ts';

/**
 * Simulates the rollout of an add-on that the hub delivers and a promotion releases: one placement after the other, the last one of the
 * install strategy first. Before the next placement, the promotion waits for the soak of all clusters, which the hub does not hold.
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
    if (index > 0) {
      if (part.stops.length > 0 || part.unready.length > 0) {
        const left = inOrder.slice(index).flatMap(clustersOf).sort();
        return ended({ waves, parts, time, stops: left.length === 0 ? [] : [waitingFor(part, left)] });
      }
      part = simulateWithQuickAgents(addOn, { nodes: [node], unplaced: [] }, part.reached, options);
      parts.push(part);
    }
    for (const wave of part.waves)
      waves.push({ ...wave, after: time.after + wave.after, earliest: time.earliest + wave.earliest });
    if (part.waves.length === 0) continue;
    const soak = node.strategy.type === 'All' ? 0 : node.strategy.minSuccessTime;
    time.after += Math.max(part.settledAfter, (part.waves.at(-1)?.after ?? 0) + soak);
    time.earliest += Math.max(0, ...part.waves.map(({ earliest }) => earliest)) + soak;
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
    uninstalled: parts[0]?.uninstalled ?? [],
    progressions: parts.flatMap(({ progressions }) => progressions),
    settledAfter: time.after,
    settledEarliest: time.earliest,
  };
}

function clustersOf({ children }: StrategyNode): readonly string[] {
  return [...children.keys()];
}

function waitingFor({ stops, unready }: Rollout, left: readonly string[]): Stop {
  const culprits = unready.length > 0 ? unready : stops.flatMap((stop) => stop.culprits);
  return {
    reason: 'under way',
    message: 'the promotion waits until the placement before is complete',
    culprits,
    left,
  };
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

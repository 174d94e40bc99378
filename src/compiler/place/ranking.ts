import type { ClusterIndices } from './cluster-index.ts';
import type { EarlierDecisions } from './earlier-decisions.ts';
import type { SchedulerIndex } from './scheduler-index.ts';
import { addOnVerdict } from './prioritizers/add-on.ts';
import { balanceScores } from './prioritizers/balance.ts';
import { resourceScores } from './prioritizers/resource-allocatable.ts';
import { steadyScores } from './prioritizers/steady.ts';
import type { BuiltInPrioritizer, WeightedPrioritizer } from './prioritizers/weights.ts';

/** The result of one prioritizer. */
export interface PrioritizerScores {
  readonly prioritizer: WeightedPrioritizer;
  /** By position in `Ranking.clusters`, before weighting; NaN if it has no score, which counts as 0. */
  readonly scores: Float64Array;
  /** The clusters whose AddOnPlacementScore has expired. */
  readonly expired: readonly number[];
}

/** The clusters that passed all filters, with the scores that rank them. */
export interface Ranking {
  readonly clusters: ClusterIndices;
  readonly prioritizers: readonly PrioritizerScores[];
  /** By position: the sum of all scores, each multiplied by its weight. */
  readonly totals: Float64Array;
}

/** The inputs of scores besides the clusters. */
export interface RankingContext {
  readonly hub: SchedulerIndex;
  readonly earlier: EarlierDecisions;
  /** `namespace/name` of the placement. */
  readonly placement: string;
  readonly isSelected: (cluster: number) => boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Scores the clusters that passed all filters. */
export function rank(
  clusters: ClusterIndices,
  weighted: readonly WeightedPrioritizer[],
  context: RankingContext,
): Ranking {
  const totals = new Float64Array(clusters.length);
  const prioritizers = weighted.map((prioritizer): PrioritizerScores => {
    const { scores, expired } = scoresOf(prioritizer, clusters, context);
    for (let position = 0; position < scores.length; position++) {
      const score = scores[position] ?? NaN;
      if (!Number.isNaN(score)) totals[position] = (totals[position] ?? 0) + score * prioritizer.weight;
    }
    return { prioritizer, scores, expired };
  });
  return { clusters, prioritizers, totals };
}

/**
 * Returns the first clusters by total, descending; ties are sorted by name. The time is linear: totals are whole numbers with few
 * different values, so clusters are sorted by counting instead of by comparison.
 */
export function best({ clusters, totals }: Ranking, number = clusters.length): ClusterIndices {
  const counts = new Map<number, number>();
  for (const total of totals) counts.set(total, (counts.get(total) ?? 0) + 1);
  const places = new Map<number, number>();
  let place = 0;
  for (const [total, count] of [...counts].sort(([a], [b]) => b - a)) {
    if (place >= number) break;
    places.set(total, place);
    place += count;
  }
  const ordered = new Int32Array(place);
  for (let position = 0; position < totals.length; position++) {
    const total = totals[position] ?? 0;
    const next = places.get(total);
    if (next === undefined) continue;
    ordered[next] = clusters[position] ?? 0;
    places.set(total, next + 1);
  }
  return ordered.subarray(0, number);
}

interface Verdict {
  readonly scores: Float64Array;
  readonly expired: readonly number[];
}

function scoresOf(
  prioritizer: WeightedPrioritizer,
  clusters: ClusterIndices,
  context: RankingContext,
): Verdict {
  const { hub, now } = context;
  if (prioritizer.addOn !== undefined)
    return addOnVerdict(clusters, hub.scores.column(prioritizer.addOn), now);
  return { scores: builtInScores(prioritizer.builtIn, clusters, context), expired: [] };
}

function builtInScores(
  name: BuiltInPrioritizer,
  clusters: ClusterIndices,
  { hub, earlier, placement, isSelected }: RankingContext,
): Float64Array {
  if (name === 'Balance') return balanceScores(clusters, earlier.crowding(placement));
  if (name === 'Steady') return steadyScores(clusters, isSelected);
  return resourceScores(clusters, hub.allocatable(name === 'ResourceAllocatableCPU' ? 'cpu' : 'memory'));
}

import { quote } from '../../model/words.ts';
import type { ClusterIndex } from '../cluster-index.ts';
import { best, type Ranking } from '../ranking.ts';
import { ordinal } from './words.ts';

/** The result for a cluster among those that passed all filters. */
export interface ChoiceVerdict {
  readonly text: string;
  readonly reasons: readonly string[];
}

/** Returns why a cluster is, or is not, among the first `wanted`. */
export function explainChoice(
  ranking: Ranking,
  cluster: number,
  wanted: number,
  index: ClusterIndex,
): ChoiceVerdict {
  const { clusters } = ranking;
  const order = best(ranking);
  const place = order.indexOf(cluster) + 1;
  const score = totalOf(ranking, cluster);
  const text = `it ranks ${ordinal(place)} of ${clusters.length} with a score of ${score}, and numberOfClusters is ${wanted}`;
  const reasons = scoreWords(ranking, cluster);
  const last = order[wanted - 1];
  if (place > wanted && last !== undefined) {
    const bound = totalOf(ranking, last);
    const tie = bound === score ? '; names break the tie' : '';
    reasons.push(`the last selected cluster, ${quote(index.names[last] ?? '')}, has ${bound}${tie}`);
  }
  return { text, reasons };
}

/** Returns the scores of a cluster, one sentence per prioritizer. */
function scoreWords({ clusters, prioritizers }: Ranking, cluster: number): string[] {
  const position = clusters.indexOf(cluster);
  return prioritizers.map(({ prioritizer: { name, weight }, scores, expired }) => {
    const score = scores[position] ?? NaN;
    if (Number.isNaN(score)) return `${name} has no score for it, which counts as 0`;
    const remark = expired.includes(cluster) ? ', because its score has expired' : '';
    return `${name}: ${score + 0} × ${weight}${remark}`;
  });
}

function totalOf({ clusters, totals }: Ranking, cluster: number): number {
  return (totals[clusters.indexOf(cluster)] ?? 0) + 0;
}

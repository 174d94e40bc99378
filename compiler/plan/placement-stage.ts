import type { Decision } from '../place/decision.ts';
import type { Stage } from '../place/explain/explanation.ts';
import type { HubView } from '../place/hub-view.ts';

/** Says at which stage a placement drops a cluster. */
export type StageOf = (cluster: string) => Stage;

/**
 * The stage that drops a cluster, as `explainPlacement` tells it, but for many clusters of one placement: what is looked up
 * is prepared once.
 */
export function dropStages(decision: Decision, { index }: HubView): StageOf {
  const { reasoning, standstill } = decision;
  if (standstill !== undefined || reasoning === undefined) return () => 'placement';
  const { candidates, tolerated, selected, misconfiguration } = reasoning.scheduling;
  const available = new Set(candidates.available);
  const matching = new Set(candidates.matching);
  const untainted = new Set(tolerated);
  const chosen = new Set(selected);
  return (name) => {
    const cluster = index.indexOf(name);
    if (cluster === undefined || index.clusters[cluster]?.metadata.deletionTimestamp !== undefined)
      return 'fleet';
    if (!available.has(cluster)) return 'cluster sets';
    if (misconfiguration !== undefined) return 'placement';
    if (!matching.has(cluster)) return 'predicates';
    if (!untainted.has(cluster)) return 'taints';
    return chosen.has(cluster) ? 'decision group' : 'choice';
  };
}

import type { Decision } from '../../place/decision.ts';
import type { Stage } from '../../place/explain/explanation.ts';
import type { SchedulerIndex } from '../../place/scheduler-index.ts';
import { contains } from '../../place/selectors.ts';

/** Returns the stage at which a placement drops a cluster. */
export type StageOf = (cluster: string) => Stage;

const nobody = new Int32Array(0);

/**
 * Returns the stage that drops a cluster, as `explainPlacement` reports it but without text. Suitable for many clusters and
 * placements.
 */
export function dropStages(decision: Decision, { index }: SchedulerIndex): StageOf {
  const { reasoning, unscheduled } = decision;
  if (unscheduled !== undefined || reasoning === undefined) return () => 'placement';
  const { candidates, tolerated = nobody, selected, misconfiguration } = reasoning.scheduling;
  return (name) => {
    const cluster = index.indexOf(name);
    if (cluster === undefined || index.clusters[cluster]?.metadata.deletionTimestamp !== undefined)
      return 'fleet';
    if (!contains(candidates.available, cluster)) return 'cluster sets';
    if (misconfiguration !== undefined) return 'placement';
    if (!contains(candidates.matching, cluster)) return 'predicates';
    if (!contains(tolerated, cluster)) return 'taints';
    return contains(selected, cluster) ? 'decision group' : 'choice';
  };
}

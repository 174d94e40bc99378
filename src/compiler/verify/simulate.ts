import type { PlacementDecisionV1beta1, PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import type { CelBehaviour } from '../../engines/cel/behaviour.ts';
import { candidatesAmong, findCandidates, type Candidates } from '../place/candidates.ts';
import type { ClusterIndex } from '../place/cluster-index.ts';
import { earlierDecisions } from '../place/earlier-decisions.ts';
import type { Unscheduled } from '../place/fault.ts';
import { best, type Ranking } from '../place/ranking.ts';
import { rankClusters, schedule, type ScheduleContext, type Scheduling } from '../place/schedule.ts';
import { schedulerIndex, type SchedulerInputs } from '../place/scheduler-index.ts';
import type { PlacementAnswer } from './placement-answer.ts';

/** The objects of a hub that its scheduler reads, as they are stored. */
export interface ScheduledObjects extends SchedulerInputs {
  readonly placementDecisions: readonly PlacementDecisionV1beta1[];
}

/**
 * Whose clusters a placement server filters: those of the sets of the Placement, or, before OCM 1.3, all clusters, also those that are
 * being deleted.
 */
export type AskedClusters = 'of its sets' | 'all';

/** Predicts the answer for a Placement, or returns the reason why the hub gives no answer. */
export type Simulate = (
  placement: PlacementV1beta1,
  clusters: AskedClusters,
) => PlacementAnswer | Unscheduled;

/**
 * Returns the prediction of what the placement server of a hub answers. The decisions on the hub count, also those of a Placement of
 * the same name: the server reads them too.
 *
 * @param now - in milliseconds since 1970
 */
export function simulator(
  objects: ScheduledObjects,
  { now, cel }: { readonly now: number; readonly cel: CelBehaviour },
): Simulate {
  const hub = schedulerIndex(objects, cel);
  const earlier = earlierDecisions(hub.index, objects.placementDecisions);
  const context: ScheduleContext = { hub, earlier, now };
  const everyCluster = Int32Array.from({ length: hub.index.size }, (_, cluster) => cluster);
  return (placement, clusters) => {
    const candidates =
      clusters === 'all'
        ? candidatesAmong(placement, { bound: [], eligible: [], available: everyCluster }, hub)
        : findCandidates(placement, hub);
    if ('reason' in candidates) return candidates;
    return answerOf(placement, candidates, context);
  };
}

function answerOf(
  placement: PlacementV1beta1,
  candidates: Candidates,
  context: ScheduleContext,
): PlacementAnswer {
  const { index } = context.hub;
  const scheduling = schedule(placement, candidates, context);
  const { misconfiguration, tolerated } = scheduling;
  if (misconfiguration !== undefined) {
    const filters = filtersOf(scheduling, index);
    return { filters, prioritizers: [], totals: new Map(), choice: undefined };
  }
  const ranking = scheduling.ranking ?? rankClusters(placement, scheduling, context);
  const order = index.namesOf(best(ranking));
  const number = placement.spec.numberOfClusters ?? tolerated?.length ?? 0;
  return {
    filters: filtersOf(scheduling, index),
    prioritizers: ranking.prioritizers.map(({ prioritizer: { name, weight }, scores }) => ({
      name,
      weight,
      scores: byCluster(ranking, scores, index.names),
    })),
    totals: byCluster(ranking, ranking.totals, index.names),
    choice: order.slice(0, number),
  };
}

/** A filter that cannot read the Placement has no result. */
function filtersOf(
  { candidates, tolerated, misconfiguration }: Scheduling,
  index: ClusterIndex,
): PlacementAnswer['filters'] {
  if (misconfiguration?.plugin === 'Predicate') return [];
  return [
    { name: 'Predicate', clusters: index.namesOf(candidates.matching) },
    ...(tolerated === undefined ? [] : [{ name: 'TaintToleration', clusters: index.namesOf(tolerated) }]),
  ];
}

function byCluster(
  { clusters }: Ranking,
  values: Float64Array,
  names: readonly string[],
): ReadonlyMap<string, number> {
  const entries = new Map<string, number>();
  for (let position = 0; position < values.length; position++) {
    const value = values[position] ?? NaN;
    // + 0 makes a negative zero positive
    if (!Number.isNaN(value)) entries.set(names[clusters[position] ?? 0] ?? '', value + 0);
  }
  return entries;
}

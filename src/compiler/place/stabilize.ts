import type { PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import type { Candidates } from './candidates.ts';
import type { ClusterIndices } from './cluster-index.ts';
import { decisionGroups, type Groups } from './decision-groups.ts';
import type { OpenDecisions } from './earlier-decisions.ts';
import { schedule, type ScheduleContext, type Scheduling } from './schedule.ts';

/** A placement to decide. */
export interface OpenPlacement {
  readonly object: PlacementV1beta1;
  readonly candidates: Candidates;
}

/** The inputs of a decision. Each decision is written there for the placements after it. */
export interface StabilizeContext extends ScheduleContext {
  readonly earlier: OpenDecisions;
}

/** The state in which the hub settles on a placement. */
export interface StablePlacement {
  readonly scheduling: Scheduling;
  readonly groups: Groups;
  /** The clusters in the decisions. After a misconfiguration of groups, these are not all selected clusters. */
  readonly published: ClusterIndices;
  /** Whether the simulation stopped before the hub settled. */
  readonly unsettled: boolean;
  /** The clusters that the hub selects the next time it evaluates the placement, if they differ. */
  readonly revision?: Int32Array;
}

/** The number of passes after which a changing placement counts as never settling; others need two. */
const mostPasses = 10;

/**
 * Decides placements in the given order. Each decision counts for the placements after it, and for its own next pass
 * placement: writing a decision makes the hub evaluate the placement again, until the decision no longer changes. The decisions
 * of other placements do not trigger an evaluation. If they rank the clusters of a placement lower, the placement keeps its
 * clusters until another event. At the latest, this is when OCM's placement controller evaluates all placements again, every 10
 * min. The result of that is its `revision`.
 */
export function stabilize(
  placements: ReadonlyMap<string, OpenPlacement>,
  context: StabilizeContext,
): ReadonlyMap<string, StablePlacement> {
  const stable = new Map<string, StablePlacement>();
  for (const [key, placement] of placements) stable.set(key, stabilizeOne(key, placement, context));
  for (const [key, result] of stable) {
    const placement = placements.get(key);
    if (placement === undefined || result.unsettled || !result.scheduling.dependsOnDecisions) continue;
    const { selected } = schedule(placement.object, placement.candidates, context);
    if (!isSame(selected, result.scheduling.selected)) stable.set(key, { ...result, revision: selected });
  }
  return stable;
}

function stabilizeOne(
  key: string,
  { object, candidates }: OpenPlacement,
  context: StabilizeContext,
): StablePlacement {
  const { earlier, hub } = context;
  for (let pass = 1; ; pass++) {
    const scheduling = schedule(object, candidates, context);
    const groups = decisionGroups(
      object.spec.decisionStrategy?.groupStrategy,
      scheduling.selected,
      hub.selectors,
    );
    const published = publishedClusters(groups, scheduling.selected);
    const changes = !isSame(published, earlier.of(key));
    earlier.write(key, published);
    const unsettled = changes && scheduling.dependsOnDecisions;
    if (!unsettled || pass === mostPasses) return { scheduling, groups, published, unsettled };
  }
}

function publishedClusters({ groups, misconfiguration }: Groups, selected: ClusterIndices): ClusterIndices {
  if (misconfiguration === undefined) return selected;
  return Int32Array.from(groups.flatMap(({ clusters }) => [...clusters])).sort();
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((cluster, position) => cluster === b[position]);
}

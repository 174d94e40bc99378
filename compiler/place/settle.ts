import type { PlacementV1beta1 } from '../../schemas/types.gen.ts';
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

/** What placements are decided against; each decision is written there for those after it. */
export interface SettleContext extends ScheduleContext {
  readonly earlier: OpenDecisions;
}

/** Where the hub comes to rest on a placement. */
export interface SettledPlacement {
  readonly scheduling: Scheduling;
  readonly groups: Groups;
  /** The clusters that the decisions name, which after a misconfiguration of groups are not all selected ones. */
  readonly written: ClusterIndices;
  /** Whether we stopped to watch before the hub came to rest. */
  readonly unsettled: boolean;
  /** What the hub selects instead when it next looks at the placement, if that is different. */
  readonly revision?: Int32Array;
}

/** Passes after which a placement that still changes never comes to rest; others need two. */
const mostPasses = 10;

/**
 * Decides placements in the order given. What is decided for one counts for those after it, and for its own next pass:
 * writing a decision makes the hub look at the placement again, as often as the decision changes. The decisions of others
 * do not, so a placement that they crowd out of its clusters stays there until something else happens, at the latest
 * until OCM's placement controller looks at all placements again, every ten minutes. That is its `revision`.
 */
export function settle(
  placements: ReadonlyMap<string, OpenPlacement>,
  context: SettleContext,
): ReadonlyMap<string, SettledPlacement> {
  const settled = new Map<string, SettledPlacement>();
  for (const [key, placement] of placements) settled.set(key, settleOne(key, placement, context));
  for (const [key, known] of settled) {
    const placement = placements.get(key);
    if (placement === undefined || known.unsettled || !known.scheduling.dependsOnDecisions) continue;
    const { selected } = schedule(placement.object, placement.candidates, context);
    if (!isSame(selected, known.scheduling.selected)) settled.set(key, { ...known, revision: selected });
  }
  return settled;
}

function settleOne(
  key: string,
  { object, candidates }: OpenPlacement,
  context: SettleContext,
): SettledPlacement {
  const { earlier, hub } = context;
  for (let pass = 1; ; pass++) {
    const scheduling = schedule(object, candidates, context);
    const groups = decisionGroups(
      object.spec.decisionStrategy?.groupStrategy,
      scheduling.selected,
      hub.selectors,
    );
    const written = writtenClusters(groups, scheduling.selected);
    const changes = !isSame(written, earlier.of(key));
    earlier.write(key, written);
    const unsettled = changes && scheduling.dependsOnDecisions;
    if (!unsettled || pass === mostPasses) return { scheduling, groups, written, unsettled };
  }
}

function writtenClusters({ groups, misconfiguration }: Groups, selected: ClusterIndices): ClusterIndices {
  if (misconfiguration === undefined) return selected;
  return Int32Array.from(groups.flatMap(({ clusters }) => [...clusters])).sort();
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((cluster, position) => cluster === b[position]);
}

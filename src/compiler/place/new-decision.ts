import type { PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import type { Admitted } from '../model/inventory.ts';
import type { Decision, Reasoning } from './decision.ts';
import { decisionObjects } from './decision-objects.ts';
import type { Ranking } from './ranking.ts';
import { rankClusters, type ScheduleContext } from './schedule.ts';
import type { StablePlacement } from './stabilize.ts';
import { placementStatus } from './status.ts';

/** Returns what the hub writes for a placement after it settled. */
export function newDecision(
  placement: Admitted<PlacementV1beta1>,
  settled: StablePlacement,
  context: ScheduleContext,
): Decision {
  const { index } = context.hub;
  const { scheduling, groups, published } = settled;
  const named = groups.groups.map(({ name, clusters }) => ({ name, clusters: index.namesOf(clusters) }));
  const objects = decisionObjects(placement.object, named);
  // as syncPlacement: a fault of the groups replaces a fault of the scheduler
  const misconfiguration = groups.misconfiguration ?? scheduling.misconfiguration;
  return {
    placement,
    groups: named,
    selected: index.namesOf(published),
    status: placementStatus(placement.object, scheduling, named, objects, misconfiguration),
    objects,
    ...(misconfiguration === undefined ? {} : { misconfiguration }),
    reasoning: reasoningOf(placement.object, settled, context),
  };
}

function reasoningOf(
  placement: PlacementV1beta1,
  { scheduling, unsettled, revision }: StablePlacement,
  context: ScheduleContext,
): Reasoning {
  let ranking: Ranking | undefined = scheduling.ranking;
  return {
    scheduling,
    ranking: () => (ranking ??= rankClusters(placement, scheduling, context)),
    unsettled,
    ...(revision === undefined ? {} : { revision: context.hub.index.namesOf(revision) }),
  };
}

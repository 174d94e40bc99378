import { addToGroup } from '../../base/collections/groups.ts';
import type {
  PlacementDecisionV1beta1,
  PlacementV1beta1,
  PlacementV1beta1DecisionGroupStatus,
} from '../../../schemas/types.gen.ts';
import type { DecidedCondition, DecidedStatus, DecisionGroup } from './decision.ts';
import { groupIndexLabel } from './decision-objects.ts';
import type { Misconfiguration } from './fault.ts';
import type { Scheduling } from './schedule.ts';

/** Returns the status that the hub writes for a placement. As updateStatus of OCM's scheduling_controller.go. */
export function placementStatus(
  placement: PlacementV1beta1,
  scheduling: Scheduling,
  groups: readonly DecisionGroup[],
  objects: readonly PlacementDecisionV1beta1[],
  misconfiguration: Misconfiguration | undefined,
): DecidedStatus {
  return {
    numberOfSelectedClusters: scheduling.selected.length,
    decisionGroups: groupStatuses(groups, objects),
    conditions: [misconfigured(misconfiguration), satisfied(placement, scheduling)],
  };
}

function groupStatuses(
  groups: readonly DecisionGroup[],
  objects: readonly PlacementDecisionV1beta1[],
): PlacementV1beta1DecisionGroupStatus[] {
  const names = new Map<string, string[]>();
  for (const { metadata } of objects)
    addToGroup(names, metadata.labels?.[groupIndexLabel] ?? '', metadata.name ?? '');
  return groups.map(({ name, clusters }, index) => ({
    decisionGroupIndex: index,
    decisionGroupName: name,
    decisions: names.get(String(index)) ?? [],
    clusterCount: clusters.length,
  }));
}

/** As newMisconfiguredCondition: a fault without a plugin starts with the colon. */
function misconfigured(misconfiguration: Misconfiguration | undefined): DecidedCondition {
  if (misconfiguration === undefined) {
    return {
      type: 'PlacementMisconfigured',
      status: 'False',
      reason: 'Succeedconfigured',
      message: 'Placement configurations check pass',
    };
  }
  const { plugin, message } = misconfiguration;
  return {
    type: 'PlacementMisconfigured',
    status: 'True',
    reason: 'Misconfigured',
    message: `${plugin}:${message}`,
  };
}

/** As newSatisfiedCondition: the first problem counts. */
function satisfied(
  { spec }: PlacementV1beta1,
  { candidates, selected, unscheduled }: Scheduling,
): DecidedCondition {
  const { bound, eligible, available } = candidates;
  if (bound.length === 0) {
    return unsatisfied(
      'NoManagedClusterSetBindings',
      'No valid ManagedClusterSetBindings found in placement namespace',
    );
  }
  if (eligible.length === 0) {
    const sets = (spec.clusterSets ?? []).join(',');
    return unsatisfied(
      'NoIntersection',
      `None of ManagedClusterSets [${sets}] is bound to placement namespace`,
    );
  }
  if (available.length === 0) {
    const sets = eligible.join(',');
    return unsatisfied(
      'AllManagedClusterSetsEmpty',
      `All ManagedClusterSets [${sets}] have no member ManagedCluster`,
    );
  }
  if (selected.length === 0) {
    return unsatisfied('NoManagedClusterMatched', 'No ManagedCluster matches any of the cluster predicate');
  }
  if (unscheduled > 0) {
    return unsatisfied('NotAllDecisionsScheduled', `${unscheduled} cluster decisions unscheduled`);
  }
  return {
    type: 'PlacementSatisfied',
    status: 'True',
    reason: 'AllDecisionsScheduled',
    message: 'All cluster decisions scheduled',
  };
}

function unsatisfied(reason: string, message: string): DecidedCondition {
  return { type: 'PlacementSatisfied', status: 'False', reason, message };
}

import { addToGroup } from '../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { PlacementDecisionV1beta1, PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { schedulingDisabledAnnotation } from '../../ocm/annotations.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import type { Decision, DecisionGroup } from './decision.ts';
import { groupIndexLabel, groupNameLabel } from './decision-objects.ts';
import { placementLabel } from '../../ocm/labels.ts';
import type { Unscheduled } from './fault.ts';

/** Returns why the hub does not try to decide for a placement; undefined if it does. */
export function unscheduledBy({ metadata, spec }: PlacementV1beta1): Unscheduled | undefined {
  const { name = '', annotations, deletionTimestamp = '' } = metadata;
  if (deletionTimestamp !== '') {
    return {
      reason: 'being deleted',
      message: `it was marked for deletion at ${deletionTimestamp}`,
      path: ['metadata', 'deletionTimestamp'],
    };
  }
  if (annotations?.[schedulingDisabledAnnotation] === 'true') {
    const path = ['metadata', 'annotations', schedulingDisabledAnnotation];
    return {
      reason: 'scheduling disabled',
      message: `annotation ${schedulingDisabledAnnotation} is "true"`,
      path,
    };
  }
  // its name is a label value of every PlacementDecision, which the API server then rejects
  if (name.length > 63) {
    return {
      reason: 'name too long',
      message: `its name has ${name.length} characters, and a label value may have 63`,
      path: ['metadata', 'name'],
    };
  }
  const { numberOfClusters = 0 } = spec;
  if (numberOfClusters < 0) {
    const path = ['spec', 'numberOfClusters'];
    return {
      reason: 'negative number of clusters',
      message: `numberOfClusters is ${numberOfClusters}`,
      path,
    };
  }
  return undefined;
}

/** Returns the decision that stays while the hub does not decide again. */
export function unchangedDecision(
  placement: Admitted<PlacementV1beta1>,
  unscheduled: Unscheduled,
  objects: readonly PlacementDecisionV1beta1[],
): Decision {
  const groups = groupsOf(objects);
  const selected = new Set(groups.flatMap(({ clusters }) => clusters));
  return {
    placement,
    unscheduled,
    groups,
    selected: [...selected].sort(compareUtf8),
    status: placement.object.status ?? {},
    objects,
  };
}

/** Returns the PlacementDecisions by the placement (`namespace/name`) that their label names, in the order of their numbers. */
export function decisionsByPlacement(
  objects: Iterable<PlacementDecisionV1beta1>,
): ReadonlyMap<string, readonly PlacementDecisionV1beta1[]> {
  const byPlacement = new Map<string, PlacementDecisionV1beta1[]>();
  for (const object of objects) {
    const placement = object.metadata.labels?.[placementLabel];
    if (placement !== undefined)
      addToGroup(byPlacement, objectKey(object.metadata.namespace, placement), object);
  }
  for (const list of byPlacement.values()) list.sort((a, b) => pageNumber(a) - pageNumber(b));
  return byPlacement;
}

function pageNumber({ metadata }: PlacementDecisionV1beta1): number {
  return Number(/-(\d+)$/.exec(metadata.name ?? '')?.[1] ?? 0);
}

/** As sdk-go's decision tracker: the objects with the same index are one group. */
function groupsOf(objects: readonly PlacementDecisionV1beta1[]): DecisionGroup[] {
  const groups = new Map<number, { name: string; clusters: Set<string> }>();
  for (const { metadata, status } of objects) {
    const index = Number(metadata.labels?.[groupIndexLabel] ?? 0);
    const group = getOrInsertComputed(groups, index, () => ({
      name: metadata.labels?.[groupNameLabel] ?? '',
      clusters: new Set<string>(),
    }));
    for (const { clusterName } of status?.decisions ?? []) group.clusters.add(clusterName);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([, { name, clusters }]) => ({ name, clusters: [...clusters].sort(compareUtf8) }));
}

import type { ObjectMeta } from '../../base/objects/object-meta.ts';
import type { PlacementDecisionV1beta1, PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import type { DecisionGroup } from './decision.ts';
import { placementLabel } from '../../ocm/labels.ts';

/** The label of a PlacementDecision with the name of its group; empty for groups without a name. */
export const groupNameLabel = 'cluster.open-cluster-management.io/decision-group-name';
/** The label of a PlacementDecision with the index of its group. */
export const groupIndexLabel = 'cluster.open-cluster-management.io/decision-group-index';

/** The maximum number of clusters in one PlacementDecision; larger groups have several. */
export const pageSize = 100;

const apiVersion = 'cluster.open-cluster-management.io/v1beta1';

/**
 * Returns the PlacementDecisions of a placement, group by group, as generateDecision of OCM's scheduling_controller.go. A group
 * without clusters has one without status, as on a hub that never wrote clusters into it.
 */
export function decisionObjects(
  placement: PlacementV1beta1,
  groups: readonly DecisionGroup[],
): PlacementDecisionV1beta1[] {
  const objects: PlacementDecisionV1beta1[] = [];
  for (const [index, { name, clusters }] of groups.entries()) {
    for (let start = 0; start === 0 || start < clusters.length; start += pageSize) {
      const page = clusters.slice(start, start + pageSize);
      objects.push({
        apiVersion,
        kind: 'PlacementDecision',
        metadata: metadataOf(placement, objects.length + 1, name, index),
        ...(page.length === 0
          ? {}
          : { status: { decisions: page.map((clusterName) => ({ clusterName, reason: '' })) } }),
      });
    }
  }
  return objects;
}

function metadataOf(
  { metadata }: PlacementV1beta1,
  number: number,
  group: string,
  index: number,
): ObjectMeta {
  const { name = '', namespace, uid } = metadata;
  return {
    name: `${name}-decision-${number}`,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { [placementLabel]: name, [groupNameLabel]: group, [groupIndexLabel]: String(index) },
    ownerReferences: [
      {
        apiVersion,
        kind: 'Placement',
        name,
        ...(uid === undefined ? {} : { uid }),
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
}

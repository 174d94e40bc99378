import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount } from '../../model/words.ts';
import { replicaSets, replicaSetSpec } from '../../rollout/replica-set.ts';
import type { CheckInput } from '../rule.ts';
import type { PacedPlacement } from './paced-placements.ts';

/** Returns the finding on a rollout per group to a placement whose clusters are one group. Undefined if there is nothing to report. */
export function ungroupedRollout(
  { node, selected, at }: PacedPlacement,
  { inventory }: CheckInput,
): Diagnostic | undefined {
  const placement = inventory.placements.get(node.placement);
  if (node.strategy.type !== 'ProgressivePerGroup' || selected < 2) return undefined;
  if (placement === undefined || !isUngrouped(placement)) return undefined;
  return diagnostic('FW7201', { ...withoutGroups(node.placement, selected), ...at('type') });
}

/** Returns the same for ManifestWorkReplicaSets. */
export function* ungroupedReplicaSets({ inventory, decisions }: CheckInput): Iterable<Diagnostic> {
  for (const set of replicaSets(inventory)) {
    const { namespace = '' } = set.object.metadata;
    for (const [index, { name, rolloutStrategy }] of replicaSetSpec(set).placementRefs.entries()) {
      const key = objectKey(namespace, name);
      const placement = inventory.placements.get(key);
      const selected = decisions.byPlacement.get(key)?.selected.length ?? 0;
      if (rolloutStrategy?.type !== 'ProgressivePerGroup' || selected < 2) continue;
      if (placement === undefined || !isUngrouped(placement)) continue;
      yield diagnostic('FW7201', {
        ...withoutGroups(key, selected),
        ...pointAt(set, ['spec', 'placementRefs', index, 'rolloutStrategy', 'type']),
      });
    }
  }
}

function withoutGroups(placement: string, selected: number): { message: string; hint: string } {
  return {
    message: `placement "${placement}" has no decision groups, so all ${clusterCount(selected)} change at the same time`,
    hint: 'add decisionGroups or clustersPerDecisionGroup to decisionStrategy.groupStrategy of the placement, or use Progressive with maxConcurrency',
  };
}

/** Whether the clusters of a Placement are one group, whatever their number. */
function isUngrouped({ object }: Admitted<PlacementV1beta1>): boolean {
  const { decisionGroups = [], clustersPerDecisionGroup = '100%' } =
    object.spec.decisionStrategy?.groupStrategy ?? {};
  return decisionGroups.length === 0 && clustersPerDecisionGroup === '100%';
}

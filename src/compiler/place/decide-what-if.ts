import type { PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import { findCandidates } from './candidates.ts';
import type { Decision, Decisions } from './decision.ts';
import { newDecision } from './new-decision.ts';
import { stabilize } from './stabilize.ts';
import { unchangedDecision, unscheduledBy } from './unchanged-decision.ts';

/**
 * Returns what the hub would decide if one placement were replaced by another. Clusters and all other state stay as they were.
 * Other placements are not decided again, so prioritizers that read their decisions see the earlier ones.
 */
export function decideWhatIf(
  placement: Admitted<PlacementV1beta1>,
  { scheduler: hub, earlier, now }: Decisions,
): Decision {
  const { object } = placement;
  const candidates = unscheduledBy(object) ?? findCandidates(object, hub);
  if ('reason' in candidates) return unchangedDecision(placement, candidates, []);
  const context = { hub, earlier: earlier.open(), now };
  const key = objectKey(object.metadata.namespace, object.metadata.name ?? '');
  const settled = stabilize(new Map([[key, { object, candidates }]]), context).get(key);
  if (settled === undefined) throw new Error(`${key} was not settled`);
  return newDecision(placement, settled, context);
}

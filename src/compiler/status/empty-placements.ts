import { conditionOf } from '../../base/objects/condition.ts';
import { installPlacements } from '../../ocm/install-strategy.ts';
import { objectKey } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';
import type { EmptyPlacement } from './fleet-status.ts';

/** Returns the placements of an add-on that select no cluster, in the order of its install strategy. */
export function emptyPlacements(
  addOn: string,
  { inventory, decisions }: Pick<Resolution, 'inventory' | 'decisions'>,
): readonly EmptyPlacement[] {
  const definition = inventory.clusterManagementAddOns.get(addOn);
  const placements = definition === undefined ? [] : installPlacements(definition.object);
  return placements.flatMap(({ namespace, name }) => {
    const placement = objectKey(namespace, name);
    const decision = decisions.byPlacement.get(placement);
    if (decision === undefined) return [{ placement, reason: 'it does not exist' }];
    if (decision.selected.length > 0) return [];
    const { message = '' } = conditionOf(decision.status.conditions, 'PlacementSatisfied') ?? {};
    return [{ placement, reason: decision.misconfiguration?.message ?? message }];
  });
}

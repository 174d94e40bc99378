import type { ClusterManagementAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { Admitted } from '../../model/inventory.ts';
import { isOverridePlacement } from '../../cluster-overrides/override-mode.ts';
import type { CheckInput } from '../rule.ts';

/** An add-on that the hub manages, in inputs that have overrides as placements of single clusters. */
export interface OverriddenAddOn {
  readonly addOn: Admitted<ClusterManagementAddOnV1beta1>;
  readonly resolved: ResolvedAddOn;
}

/** Returns the add-ons whose overrides may be placements. Empty if no placement is an override. */
export function* overriddenAddOns({ inventory, configuration }: CheckInput): Iterable<OverriddenAddOn> {
  if (![...inventory.placements.values()].some(({ object }) => isOverridePlacement(object))) return;
  for (const resolved of configuration.values()) {
    const addOn = inventory.clusterManagementAddOns.get(resolved.name);
    if (addOn !== undefined && resolved.managed) yield { addOn, resolved };
  }
}

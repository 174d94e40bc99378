import { compareText } from '../../../base/collections/compare-text.ts';
import type { Resolution } from '../../resolve.ts';
import { comparePlacements, type PlacementChange } from './placements.ts';
import type { Pair } from '../resolution-pair.ts';
import type { SelectionCauses } from '../causes/selection-causes.ts';

/** Two states, with the lookups that comparing them needs. */
export interface Comparison {
  readonly pair: Pair;
  readonly causes: SelectionCauses;
}

/**
 * Returns whether an add-on belongs to the hub: every state that has it has its definition from the fleet snapshot. Such an
 * add-on appears and disappears with snapshots, which is not an effect of the change. Changes to an add-on that exists in both
 * states are effects.
 */
export function isHubsOwnAddOn(addOn: string, { base, head }: Pair): boolean {
  return [base, head].every(({ resolution }) => {
    const resolved = resolution.configuration.get(addOn);
    return resolved === undefined || resolved.isHubOwned === true;
  });
}

/** Returns the hub's own add-ons that both states have, by name. */
export function lastingHubAddOns({ pair }: Comparison): string[] {
  const { base, head } = pair;
  return [...head.resolution.configuration.keys()].filter(
    (addOn) => base.resolution.configuration.has(addOn) && isHubsOwnAddOn(addOn, pair),
  );
}

/**
 * Returns how decisions change: for the app's Placements, between the states of the app; for the hub's own Placements, as far as
 * the app changes them.
 *
 * @param hub - the states with one fleet
 */
export function placementChanges(app: Comparison, hub: Comparison | undefined): PlacementChange[] {
  const isApps = (placement: string, { inventory }: Resolution): boolean =>
    inventory.placements.get(placement)?.source === 'app';
  const { base, head } = app.pair;
  const isOfApp = ({ placement }: PlacementChange): boolean =>
    isApps(placement, base.resolution) || isApps(placement, head.resolution);
  const ofApp = comparePlacements(app.pair, app.causes).filter(isOfApp);
  if (hub === undefined) return ofApp;
  const ofHub = comparePlacements(hub.pair, hub.causes).filter(
    (change) => change.change === undefined && !isOfApp(change),
  );
  return [...ofApp, ...ofHub].sort((a, b) => compareText(a.placement, b.placement));
}

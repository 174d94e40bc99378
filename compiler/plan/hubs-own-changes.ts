import type { Resolution } from '../resolve.ts';
import { comparePlacements, type PlacementChange } from './placements.ts';
import type { Pair } from './resolution-pair.ts';
import type { SelectionCauses } from './selection-causes.ts';

/** Two states, with what comparing them looks up. */
export interface Comparison {
  readonly pair: Pair;
  readonly causes: SelectionCauses;
}

/**
 * Whether an add-on is the hub's own: every state that has it has its definition from the fleet snapshot. Such an add-on comes
 * and goes with snapshots, which is no effect of the change; what the change does to one that stays is.
 */
export function isHubsOwnAddOn(addOn: string, { base, head }: Pair): boolean {
  return [base, head].every(({ resolution }) => {
    const resolved = resolution.configuration.get(addOn);
    return resolved === undefined || resolved.hubsOwn === true;
  });
}

/** The add-ons of the hub that both states have, by name. */
export function lastingHubAddOns({ pair }: Comparison): string[] {
  const { base, head } = pair;
  return [...head.resolution.configuration.keys()].filter(
    (addOn) => base.resolution.configuration.has(addOn) && isHubsOwnAddOn(addOn, pair),
  );
}

/**
 * How decisions change: those of the app's Placements between the states of the app, those of the hub's own as far as the app
 * changes them.
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
  return [...ofApp, ...ofHub].sort((a, b) => (a.placement < b.placement ? -1 : 1));
}

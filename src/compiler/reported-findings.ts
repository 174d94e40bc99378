import { isOverridePlacement } from './cluster-overrides/override-mode.ts';
import type { Diagnostic, ObjectReference } from './model/diagnostic.ts';
import { isHubOwned } from './model/hub-owned.ts';
import { objectKey, referenceTo, type Inventory } from './model/inventory.ts';
import { fleetCodes, hasFleet } from './model/needs-fleet.ts';
import type { Decisions } from './place/decision.ts';
import { isKnownByDecision } from './place/external-placements.ts';

/**
 * Returns the findings to report. Problems of a Placement for an override are problems of the Placement that it follows, and are
 * reported there. Objects that are only on the hub are not reported, because the user cannot correct them here. Without a fleet,
 * rules that need one are left out: they would report everything as missing.
 */
export function reportedFindings(
  findings: readonly Diagnostic[],
  { placements, objects, ...inventory }: Inventory,
  decisions: Decisions,
): readonly Diagnostic[] {
  const unreported = new Set(
    [...placements].flatMap(([key, { object }]) => (isOverridePlacement(object) ? [`Placement ${key}`] : [])),
  );
  for (const admitted of objects)
    if (isHubOwned(admitted)) unreported.add(keyOf(referenceTo(admitted.object)));
  for (const [key, decision] of decisions.byPlacement)
    if (isKnownByDecision(decision)) unreported.add(`Placement ${key}`);
  const isFleetKnown = hasFleet(inventory);
  return findings.filter(
    ({ code, object }) =>
      (object === undefined || !unreported.has(keyOf(object))) && (isFleetKnown || !fleetCodes.has(code)),
  );
}

function keyOf({ kind, namespace, name }: ObjectReference): string {
  return `${kind} ${objectKey(namespace, name)}`;
}

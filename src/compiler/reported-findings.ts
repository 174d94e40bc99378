import { oncePerPart } from '../base/collections/joined-lists.ts';
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
  if (findings.length === 0) return findings;
  const unreported = new Set(
    [...placements].flatMap(([key, { object }]) => (isOverridePlacement(object) ? [`Placement ${key}`] : [])),
  );
  for (const key of hubOwned(objects)) unreported.add(key);
  for (const [key, decision] of decisions.byPlacement)
    if (isKnownByDecision(decision)) unreported.add(`Placement ${key}`);
  const isFleetKnown = hasFleet(inventory);
  return findings.filter(
    ({ code, object }) =>
      (object === undefined || !unreported.has(keyOf(object))) && (isFleetKnown || !fleetCodes.has(code)),
  );
}

const hubOwned = oncePerPart((part: Inventory['objects']) =>
  part.flatMap((admitted) => (isHubOwned(admitted) ? [keyOf(referenceTo(admitted.object))] : [])),
);

function keyOf({ kind, namespace, name }: ObjectReference): string {
  return `${kind} ${objectKey(namespace, name)}`;
}

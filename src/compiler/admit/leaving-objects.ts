import { oncePer } from '../../base/collections/once-per.ts';
import { writerOf } from '../../ocm/writer.ts';
import { identityText, type SnapshotScope } from '../model/elsewhere.ts';
import type { Admitted } from '../model/inventory.ts';

/** Objects by `identityText`. */
type ByIdentity = ReadonlyMap<string, Admitted>;

/** Kinds that belong to exactly one app. Sets and bindings often serve several apps that one engine applies. */
const kindsOfFleetwright: ReadonlySet<string> = new Set([
  'AddOnDeploymentConfig',
  'AddOnTemplate',
  'ClusterManagementAddOn',
  'Placement',
]);

/** Returns the objects of these kinds: a fleet has thousands of others. */
const objectsOfFleetwright = oncePer((fleet: ByIdentity) =>
  [...fleet].filter(([, { object }]) => kindsOfFleetwright.has(object.kind)),
);

/** Returns the writers of the app's objects on the hub, according to the fleet snapshots. */
export function writersOf(
  app: ByIdentity,
  fleet: ByIdentity,
  snapshots: readonly SnapshotScope[],
): ReadonlySet<string> {
  const writers = new Set<string>();
  for (const { omitted } of snapshots)
    for (const object of omitted) if (app.has(identityText(object))) writers.add(object.writer);
  for (const [identity, { object }] of objectsOfFleetwright(fleet)) {
    const writer = app.has(identity) ? writerOf(object.metadata) : undefined;
    if (writer !== undefined) writers.add(writer);
  }
  return writers;
}

/**
 * Returns the objects of the fleet that are deleted from the hub when the app is applied: the app's writer wrote them, and the
 * app no longer has them.
 */
export function* leaving(app: ByIdentity, fleet: ByIdentity, writers: ReadonlySet<string>): Iterable<string> {
  if (writers.size === 0) return;
  for (const [identity, { object }] of objectsOfFleetwright(fleet)) {
    if (app.has(identity)) continue;
    const writer = writerOf(object.metadata);
    if (writer !== undefined && writers.has(writer)) yield identity;
  }
}

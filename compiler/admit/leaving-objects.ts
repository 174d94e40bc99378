import { writerOf } from '../api/writer.ts';
import { identityText, type SnapshotScope } from '../elsewhere.ts';
import type { Admitted } from '../inventory.ts';

/** Objects by `identityText`. */
type ByIdentity = ReadonlyMap<string, Admitted>;

/** Kinds that one app writes for itself. Sets and bindings often serve several apps that one engine applies. */
const ownKinds: ReadonlySet<string> = new Set([
  'AddOnDeploymentConfig',
  'AddOnTemplate',
  'ClusterManagementAddOn',
  'Placement',
]);

/** What wrote the objects of the app to the hub, as far as the fleet snapshots say so. */
export function writersOf(
  app: ByIdentity,
  fleet: ByIdentity,
  snapshots: readonly SnapshotScope[],
): ReadonlySet<string> {
  const writers = new Set<string>();
  for (const { leftOut } of snapshots)
    for (const object of leftOut) if (app.has(identityText(object))) writers.add(object.writer);
  for (const [identity, { object }] of fleet) {
    const writer = ownKinds.has(object.kind) && app.has(identity) ? writerOf(object.metadata) : undefined;
    if (writer !== undefined) writers.add(writer);
  }
  return writers;
}

/**
 * The objects of the fleet that leave the hub when the app is applied: what applies the app wrote them, and the app has them no
 * longer.
 */
export function* leaving(app: ByIdentity, fleet: ByIdentity, writers: ReadonlySet<string>): Iterable<string> {
  if (writers.size === 0) return;
  for (const [identity, { object }] of fleet) {
    if (!ownKinds.has(object.kind) || app.has(identity)) continue;
    const writer = writerOf(object.metadata);
    if (writer !== undefined && writers.has(writer)) yield identity;
  }
}

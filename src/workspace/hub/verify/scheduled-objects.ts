import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { ocmKinds, type OcmKind } from '../../../../schemas/kinds.ts';
import type { ScheduledObjects } from '../../../compiler/verify/index.ts';
import type { HubReader } from '../hub-reader.ts';
import { pull } from '../pull.ts';
import { fleetKinds } from '../snapshot-objects.ts';

/** Reads the objects that the scheduler of a hub reads. @throws HubError as `pull` */
export async function readScheduledObjects(hub: HubReader, now: number): Promise<ScheduledObjects> {
  const objects = await pull(hub, fleetKinds, now);
  const of = ({ kind }: OcmKind): readonly KubernetesObject[] =>
    objects.filter((object) => object.kind === kind);
  const byName = {
    managedClusters: of(ocmKinds.managedCluster),
    managedClusterSets: of(ocmKinds.managedClusterSet),
    managedClusterSetBindings: of(ocmKinds.managedClusterSetBinding),
    addOnPlacementScores: of(ocmKinds.addOnPlacementScore),
    placementDecisions: of(ocmKinds.placementDecision),
  };
  // The API server has validated them.
  return byName as object as ScheduledObjects;
}

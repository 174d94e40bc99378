import { groupBy } from '../base/collections/groups.ts';
import { counted } from '../compiler/model/words.ts';
import { diagnostic, type Diagnostic } from '../compiler/model/diagnostic.ts';
import { hubMetadataOf } from '../compiler/hub-metadata.ts';
import { referenceTo, type Admitted, type LoadedObject } from '../compiler/model/inventory.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { kindKey } from '../base/names/resource-name.ts';
import { ocmKinds } from '../../schemas/kinds.ts';
import { isHubState } from './kinds.ts';

/** The sets that every hub has. */
const builtInSets: ReadonlySet<string> = new Set(['global', 'default']);

/**
 * Whether an object describes the fleet, and the app does not emit it: what the hub and its agents write, and clusters and built-in
 * sets that were read from a hub. A set belongs to the app, because a hub that loses it also loses the clusters of its placements; a
 * cluster that nothing has reported about is one that Git creates.
 *
 * @param object - as it was written
 */
export function isOfFleet(object: KubernetesObject, source: Admitted['source']): boolean {
  return source === 'fleet' || (isOfFleetOnHub(object) && (isHubState(object) || isReported(object)));
}

/** Whether an object of a hub describes its fleet: what the hub and its agents write, its clusters, and its built-in sets. */
export function isOfFleetOnHub(object: KubernetesObject): boolean {
  const key = kindKey(object);
  const isBuiltIn = key === ocmKinds.managedClusterSet.key && builtInSets.has(object.metadata.name ?? '');
  return isBuiltIn || isCluster(object) || isHubState(object);
}

function isReported(object: KubernetesObject): boolean {
  return object['status'] !== undefined || hubMetadataOf(object).length > 0;
}

/** Reports once the objects of files that the app does not emit. For objects from a hub this is expected. */
export function reportedFleet(objects: readonly Pick<LoadedObject, 'object' | 'origin'>[]): Diagnostic[] {
  const ofFiles = objects.filter(({ origin }) => 'file' in origin.location);
  const [first] = ofFiles;
  if (first === undefined) return [];
  const kinds = Array.from(
    groupBy(ofFiles, ({ object }) => object.kind),
    ([kind, { length }]) => counted(length, kind),
  );
  const all = kinds.length === 1 ? kinds.join('') : counted(ofFiles.length, 'object');
  return [
    diagnostic('FW9180', {
      message:
        ofFiles.length === 1
          ? `this ${first.object.kind} describes the fleet, and the app does not emit it`
          : `${all} describe the fleet, and the app does not emit them${kinds.length === 1 ? '' : `: ${kinds.join(', ')}`}`,
      object: referenceTo(first.object),
      location: first.origin.locate([]),
      ...(ofFiles.some(({ object }) => isCluster(object)) && {
        hint: 'if Git creates a cluster, remove the status and the metadata of the hub, and import again',
      }),
    }),
  ];
}

function isCluster(object: KubernetesObject): boolean {
  return kindKey(object) === ocmKinds.managedCluster.key;
}

/** Reports the state that is not written, because it would hide the clusters of the workspace from the app. */
export function omittedState(objects: readonly Admitted[], why: string): Diagnostic[] {
  const [first] = objects;
  if (first === undefined) return [];
  return [
    diagnostic('FW9181', {
      message: `the app gets no fleet.yaml with the state of ${counted(objects.length, 'object')}, because ${why}`,
      object: referenceTo(first.object),
      location: first.origin.locate(['status']),
      hint: 'fleetwright fleet pull reads the state from the hub',
    }),
  ];
}

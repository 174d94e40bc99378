import { ocmKinds } from '../../../schemas/kinds.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { joined, partsOf } from '../../base/collections/joined-lists.ts';
import { identityText, type Elsewhere } from '../model/elsewhere.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import { groupOf, kindKey } from '../../base/names/resource-name.ts';
import { convertAddOn } from './conversion/convert.ts';

type MapName = Exclude<keyof Inventory, 'others' | 'objects' | 'elsewhere' | 'managerProfiles'>;

const mapOfKind: ReadonlyMap<string, MapName> = new Map([
  [ocmKinds.clusterManagementAddOn.key, 'clusterManagementAddOns'],
  [ocmKinds.managedClusterAddOn.key, 'managedClusterAddOns'],
  [ocmKinds.addOnTemplate.key, 'addOnTemplates'],
  [ocmKinds.addOnDeploymentConfig.key, 'addOnDeploymentConfigs'],
  [ocmKinds.managedCluster.key, 'managedClusters'],
  [ocmKinds.managedClusterSet.key, 'managedClusterSets'],
  [ocmKinds.managedClusterSetBinding.key, 'managedClusterSetBindings'],
  [ocmKinds.placement.key, 'placements'],
  [ocmKinds.placementDecision.key, 'placementDecisions'],
  [ocmKinds.addOnPlacementScore.key, 'addOnPlacementScores'],
]);

/** The objects of a list by kind. */
interface SortedObjects {
  readonly maps: Readonly<Record<MapName, Map<string, Admitted>>>;
  readonly others: readonly Admitted[];
}

/** Groups admitted objects by kind, each in the version that OCM's controllers read. */
export function sortByKind(objects: readonly Admitted[], elsewhere: Elsewhere): Inventory {
  const parts = partsOf(objects).map((part) => getOrInsertComputed(sortedParts, part, sorted));
  const ofKind = (name: MapName): ReadonlyMap<string, Admitted> => {
    const [first, ...others] = parts.flatMap(({ maps }) => (maps[name].size === 0 ? [] : [maps[name]]));
    if (first === undefined || others.length === 0) return first ?? new Map<string, Admitted>();
    const all = new Map(first);
    for (const other of others) for (const [key, admitted] of other) all.set(key, admitted);
    return all;
  };
  const maps = Object.fromEntries([...mapOfKind.values()].map((name) => [name, ofKind(name)]));
  // `mapOfKind` and `asControllersRead` ensure that each map has the kind and version of its name
  return {
    ...(maps as unknown as Pick<Inventory, MapName>),
    others: joined(parts.map(({ others }) => others)),
    objects,
    elsewhere,
  };
}

/** The objects of a part by kind, as long as the part exists. */
const sortedParts = new WeakMap<readonly Admitted[], SortedObjects>();

function sorted(objects: readonly Admitted[]): SortedObjects {
  const maps: Record<MapName, Map<string, Admitted>> = {
    clusterManagementAddOns: new Map(),
    managedClusterAddOns: new Map(),
    addOnTemplates: new Map(),
    addOnDeploymentConfigs: new Map(),
    managedClusters: new Map(),
    managedClusterSets: new Map(),
    managedClusterSetBindings: new Map(),
    placements: new Map(),
    placementDecisions: new Map(),
    addOnPlacementScores: new Map(),
  };
  const others: Admitted[] = [];
  for (const admitted of objects) {
    const { read, map, key } = describedObject(admitted);
    if (map === undefined) others.push(read);
    else maps[map].set(key, read);
  }
  return { maps, others };
}

/** An admitted object as phases find it. */
interface DescribedObject {
  /** In the version that the phases read. */
  readonly read: Admitted;
  /** Undefined for an object of `others`. */
  readonly map: MapName | undefined;
  /** The key in the map. */
  readonly key: string;
  /** See `identityText`. */
  readonly identity: string;
}

/** One description for all states that have an admitted object. */
const describedObjects = new WeakMap<Admitted, DescribedObject>();

/** Describes an admitted object. */
export function describedObject(admitted: Admitted): DescribedObject {
  return getOrInsertComputed(describedObjects, admitted, describe);
}

function describe(admitted: Admitted): DescribedObject {
  const read = asRead(admitted);
  const { apiVersion, kind, metadata } = admitted.object;
  return {
    read,
    map: mapOfKind.get(kindKey(read.object)),
    key: objectKey(metadata.namespace, metadata.name ?? ''),
    identity: identityText({ group: groupOf(apiVersion), kind, ...metadata }),
  };
}

function asRead(admitted: Admitted): Admitted {
  const object = asControllersRead(admitted.object);
  return object === admitted.object
    ? admitted
    : { ...admitted, object, ...originalVersion(admitted, object) };
}

function originalVersion(
  { object: written }: Admitted,
  read: KubernetesObject,
): { originalVersion?: string } {
  return written.apiVersion === read.apiVersion ? {} : { originalVersion: written.apiVersion };
}

/** The kinds that controllers read in v1alpha1. */
const configurations: ReadonlySet<string> = new Set(['AddOnDeploymentConfig', 'AddOnTemplate']);

/**
 * Returns an object in the version in which OCM's controllers read it. Add-ons are stored in v1alpha1 whichever version they are
 * written in, so v1beta1 contains the fields that v1alpha1 preserves, with the defaults of both.
 */
function asControllersRead(object: KubernetesObject): KubernetesObject {
  const stored = convertAddOn(object, 'v1alpha1');
  return configurations.has(object.kind) ? stored : convertAddOn(stored, 'v1beta1');
}

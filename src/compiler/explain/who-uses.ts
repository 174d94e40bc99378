import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { referentKey, type Referent } from '../../ocm/referent.ts';
import { configObjects } from '../configure/config-objects.ts';
import type { ConfigReference } from '../configure/resolved-add-on.ts';
import type { Resolution } from '../resolve.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { objectKey, referenceTo } from '../model/inventory.ts';
import type { ObjectReference } from '../model/diagnostic.ts';
import type { Location } from '../model/origin.ts';
import { levelOf } from '../compare/compare-configs.ts';
import { withNamedConfigs } from '../compare/named-configs.ts';
import { placedUses, placedUsesOf, type PlacedUse } from './placed-uses.ts';
import { followersByPlacement, type FollowerUse } from '../compare/placements/placement-uses.ts';
import { listedPlacements } from '../compare/causes/strategy-causes.ts';
import {
  isNamed,
  placementReferent,
  placements,
  usableObjects,
  writtenNames,
} from '../compare/usable-objects.ts';

/** An add-on that uses something, with the levels and clusters. */
export interface Use {
  readonly addOn: string;
  /**
   * For a configuration, the levels that set it where it counts: `default`, `cluster` or `placement namespace/name`. For a
   * Placement, `install strategy`. Sorted.
   */
  readonly from: readonly string[];
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

/** The users of an object. */
export interface ObjectUses {
  /** Plural and `namespace/name`, as the hub would look it up. */
  readonly object: string;
  /** The uses where it counts, by add-on. */
  readonly uses: readonly Use[];
  /** Add-ons that name it at some level although it counts on no cluster. */
  readonly lost: readonly string[];
  /** For a Placement: the policies, ApplicationSets, works and other objects that follow it. */
  readonly followers: readonly FollowerUse[];
  /** For a Policy, a PolicySet, a PlacementBinding, an ApplicationSet or a GitOpsCluster: what it brings to clusters. */
  readonly placed?: readonly PlacedUse[];
}

/**
 * Returns the add-ons that use the objects that a question names. The written name of an immutable object names it too.
 *
 * @returns one entry per object with that name; empty if there is no such configuration or Placement
 */
export function whoUses(resolution: Resolution, question: string): ObjectUses[] {
  const written = writtenNames(resolution.inventory);
  const wanted = usableObjects(resolution).filter((object) => {
    const name = written.get(referentKey(object));
    return isNamed(object, question) || (name !== undefined && isNamed({ ...object, name }, question));
  });
  const placing = placedUsesOf(resolution, question).map((each) => ({
    ...each,
    uses: [],
    lost: [],
    followers: [],
  }));
  if (wanted.length === 0) return placing;
  const uses = new Map(wanted.map((object) => [referentKey(object), new Map<string, OpenUse>()]));
  for (const resolved of resolution.configuration.values()) {
    const listed = listedPlacements(resolved.name, resolution);
    for (const { resource, group, namespace, name } of wanted)
      if (resource === placements && listed.has(objectKey(namespace, name)))
        openUse(
          uses.get(referentKey({ group, resource, ...(namespace && { namespace }), name })),
          resolved.name,
        );
    for (const clusterAddOn of resolved.clusters.values()) {
      const { cluster, effective, ...more } = withNamedConfigs(clusterAddOn, resolved, resolution);
      const note = (referent: Referent, level: string | undefined): void => {
        const use = openUse(uses.get(referentKey(referent)), resolved.name);
        if (use === undefined || level === undefined) return;
        use.from.add(level);
        use.clusters.add(cluster);
      };
      for (const { winners, losers } of effective.kinds) {
        for (const winner of winners) note(winner.reference, levelOf(winner));
        for (const loser of losers) note(loser.reference, undefined);
      }
      for (const key of more.placements) note(placementReferent(key), 'install strategy');
    }
  }
  const followers = followersByPlacement(resolution);
  const answers = wanted.map((object) => {
    const key = objectKey(object.namespace, object.name);
    const byAddOn = Array.from(uses.get(referentKey(object)) ?? []);
    return {
      object: `${object.resource} ${key}`,
      uses: byAddOn
        .filter(([, { clusters }]) => clusters.size > 0)
        .map(([addOn, { from, clusters }]) => ({
          addOn,
          from: [...from].sort(compareUtf8),
          clusters: [...clusters].sort(compareUtf8),
        })),
      lost: byAddOn.flatMap(([addOn, { clusters }]) => (clusters.size === 0 ? [addOn] : [])),
      followers: object.resource === placements ? (followers.get(key) ?? []) : [],
    };
  });
  return [...answers, ...placing];
}

interface OpenUse {
  readonly from: Set<string>;
  readonly clusters: Set<string>;
}

/** Returns the use by an add-on, empty at first. Returns undefined if the object was not requested. */
function openUse(uses: Map<string, OpenUse> | undefined, addOn: string): OpenUse | undefined {
  if (uses === undefined) return undefined;
  return getOrInsertComputed(uses, addOn, () => ({ from: new Set(), clusters: new Set() }));
}

/** The clusters that the objects of some files reach. */
export interface AffectedByFiles {
  /** The objects that the files contain, in load order. */
  readonly objects: readonly ObjectReference[];
  /** The clusters that one of the objects affects, by add-on. */
  readonly addOns: readonly Omit<Use, 'from'>[];
  /** The policies, ApplicationSets and other followers of Placements that one of the objects affects, by kind and name. */
  readonly placed: readonly PlacedUse[];
  /** Files and folders that contain no object. */
  readonly unknown: readonly string[];
}

/** Returns the files that contain objects. */
export function sourceFilesOf({ inventory }: Resolution): readonly string[] {
  return [...new Set(inventory.objects.flatMap(({ origin }) => fileOf(origin.location) ?? []))];
}

function fileOf(location: Location): string | undefined {
  return 'file' in location ? location.file : location.source?.file;
}

/**
 * Returns the add-ons and clusters that the objects of some files affect: through configuration, selection or directly.
 *
 * @param files - files, or folders with files; empty for the working folder
 */
export function affectedBy(resolution: Resolution, files: readonly string[]): AffectedByFiles {
  const seen = new Set<string>();
  const touched = new Set<string>();
  const objects: ObjectReference[] = [];
  for (const { object, origin } of resolution.inventory.objects) {
    const objectFile = fileOf(origin.location);
    const file = files.find(
      (name) => name === '' || objectFile === name || objectFile?.startsWith(`${name}/`) === true,
    );
    if (file === undefined) continue;
    seen.add(file);
    objects.push(referenceTo(object));
    touched.add(`${object.kind} ${objectKey(object.metadata.namespace, object.metadata.name ?? '')}`);
  }
  const configs = configObjects(resolution.inventory);
  const isTouched = (reference: ConfigReference): boolean => {
    const object = configs.find(reference)?.object;
    return (
      object !== undefined && touched.has(`${object.kind} ${objectKey(reference.namespace, reference.name)}`)
    );
  };
  const sets = touchedSets(objects);
  const addOns = Array.from(resolution.configuration.values(), (resolved) => {
    const { name, clusters } = resolved;
    const placements = touchedPlacements(resolution, name, touched, sets);
    const all = touched.has(`ClusterManagementAddOn ${name}`);
    const named = Array.from(clusters.values(), (each) => withNamedConfigs(each, resolved, resolution));
    const affected = named.filter(
      ({ cluster, effective, placements: selecting }) =>
        all ||
        touched.has(`ManagedCluster ${cluster}`) ||
        touched.has(`ManagedClusterAddOn ${cluster}/${name}`) ||
        selecting.some((placement) => placements.has(placement)) ||
        effective.references.some(isTouched),
    );
    return { addOn: name, clusters: affected.map(({ cluster }) => cluster) };
  }).filter(({ clusters }) => clusters.length > 0);
  const placed = placedUses(resolution, {
    object: (kind, name) => touched.has(`${kind} ${name}`),
    placement: (key) => isTouchedPlacement(key, touched, sets),
    cluster: (name) => touched.has(`ManagedCluster ${name}`),
  });
  return { objects, addOns, placed, unknown: files.filter((file) => !seen.has(file)) };
}

/** Returns the namespaces of bindings, and whether a set itself is changed. In that case any placement can select differently. */
function touchedSets(objects: readonly ObjectReference[]): { namespaces: ReadonlySet<string>; all: boolean } {
  const bindings = objects.filter(({ kind }) => kind === 'ManagedClusterSetBinding');
  return {
    namespaces: new Set(bindings.map(({ namespace = '' }) => namespace)),
    all: objects.some(({ kind }) => kind === 'ManagedClusterSet'),
  };
}

function touchedPlacements(
  resolution: Resolution,
  addOn: string,
  touched: ReadonlySet<string>,
  sets: ReturnType<typeof touchedSets>,
): ReadonlySet<string> {
  const listed = [...listedPlacements(addOn, resolution)];
  return new Set(listed.filter((placement) => isTouchedPlacement(placement, touched, sets)));
}

function isTouchedPlacement(
  placement: string,
  touched: ReadonlySet<string>,
  { namespaces, all }: ReturnType<typeof touchedSets>,
): boolean {
  return all || touched.has(`Placement ${placement}`) || namespaces.has(placement.split('/')[0] ?? '');
}

import { configObjects } from '../configure/config-objects.ts';
import type { ConfigReference } from '../configure/configuration.ts';
import type { Resolution } from '../resolve.ts';
import { compareUtf8 } from '../../encoding/go-json.ts';
import { objectKey, referenceTo } from '../inventory.ts';
import type { ObjectReference } from '../diagnostic.ts';
import { levelOf } from './compare-configs.ts';
import { withNamedConfigs } from './named-configs.ts';
import { listedPlacements } from './strategy-causes.ts';

/** An add-on that uses something, and where. */
export interface Use {
  readonly addOn: string;
  /** `default`, `cluster` or `placement namespace/name`: the levels that give it where it counts; sorted. */
  readonly from: readonly string[];
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

/** What uses a configuration. */
export interface ConfigUses {
  /** Kind or plural and `namespace/name`, as the hub would find it. */
  readonly config: string;
  /** Where it counts, by add-on. */
  readonly uses: readonly Use[];
  /** Add-ons of which some level names it, though it counts on no cluster. */
  readonly lost: readonly string[];
}

/**
 * The add-ons that use a configuration, by `namespace/name` or `name` of any kind.
 *
 * @returns one entry for each resource of that name that some add-on names
 */
export function whoUses(resolution: Resolution, config: string): ConfigUses[] {
  const found = new Map<string, Map<string, { from: Set<string>; clusters: Set<string> }>>();
  for (const resolved of resolution.configuration.values()) {
    const { name: addOn } = resolved;
    for (const clusterAddOn of resolved.clusters.values()) {
      const { cluster, effective } = withNamedConfigs(clusterAddOn, resolved, resolution);
      for (const { resource, winners, losers } of effective.kinds) {
        for (const candidate of [...winners, ...losers]) {
          const { reference } = candidate;
          if (objectKey(reference.namespace, reference.name) !== config) continue;
          const addOns =
            found.get(resource) ?? new Map<string, { from: Set<string>; clusters: Set<string> }>();
          found.set(resource, addOns);
          const use = addOns.get(addOn) ?? { from: new Set(), clusters: new Set() };
          addOns.set(addOn, use);
          if ('reason' in candidate) continue;
          use.from.add(levelOf(candidate));
          use.clusters.add(cluster);
        }
      }
    }
  }
  return Array.from(found, ([resource, addOns]) => ({
    config: `${resource} ${config}`,
    uses: Array.from(addOns, ([addOn, { from, clusters }]) => ({
      addOn,
      from: [...from].sort(compareUtf8),
      clusters: [...clusters].sort(compareUtf8),
    })).filter(({ clusters }) => clusters.length > 0),
    lost: Array.from(addOns).flatMap(([addOn, { clusters }]) => (clusters.size === 0 ? [addOn] : [])),
  }));
}

/** What the objects of some files reach. */
export interface AffectedByFiles {
  /** The objects that are written there, in load order. */
  readonly objects: readonly ObjectReference[];
  /** By add-on: the clusters on which one of the objects has a part in what it is. */
  readonly addOns: readonly Omit<Use, 'from'>[];
  /** Files of which nothing was read. */
  readonly unknown: readonly string[];
}

/** The add-ons and clusters that the objects of some files have a part in: through configuration, selection or themselves. */
export function affectedBy(resolution: Resolution, files: readonly string[]): AffectedByFiles {
  const wanted = new Set(files);
  const seen = new Set<string>();
  const touched = new Set<string>();
  const objects: ObjectReference[] = [];
  for (const { object, origin } of resolution.inventory.written) {
    const { location } = origin;
    const file = 'file' in location ? location.file : location.source?.file;
    if (file === undefined || !wanted.has(file)) continue;
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
  return { objects, addOns, unknown: files.filter((file) => !seen.has(file)) };
}

/** Namespaces of bindings, and whether a set itself is touched: any placement may then select otherwise. */
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
  { namespaces, all }: ReturnType<typeof touchedSets>,
): ReadonlySet<string> {
  const listed = [...listedPlacements(addOn, resolution)];
  return new Set(
    listed.filter(
      (placement) =>
        all || touched.has(`Placement ${placement}`) || namespaces.has(placement.split('/')[0] ?? ''),
    ),
  );
}

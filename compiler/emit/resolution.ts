import type {
  Configuration,
  EffectiveConfiguration,
  EffectiveKind,
  ResolvedAddOn,
} from '../configure/configuration.ts';
import { objectKey } from '../inventory.ts';

/**
 * What the hub will make of the emitted objects, for reviewers: for every add-on its clusters, grouped by identical
 * effective configuration, so that a diff of the file shows how far a change reaches.
 */
export function resolutionDocument(configuration: Configuration): object {
  return { addOns: [...configuration.values()].map(addOnEntry) };
}

function addOnEntry(addOn: ResolvedAddOn): object {
  const groups = new Map<
    string,
    { effective: EffectiveConfiguration; placements: readonly string[]; clusters: string[] }
  >();
  for (const { cluster, effective, placements } of addOn.clusters.values()) {
    const key = groupKey(effective, placements);
    const group = groups.get(key);
    if (group) group.clusters.push(cluster);
    else groups.set(key, { effective, placements, clusters: [cluster] });
  }
  return {
    name: addOn.name,
    clusters: addOn.clusters.size,
    ...(addOn.managed ? {} : { managed: false }),
    ...(addOn.stalled === undefined ? {} : { stalled: addOn.stalled }),
    groups: [...groups.values()].map(({ effective, placements, clusters }) => ({
      configs: effective.kinds.flatMap(configEntries),
      ...(placements.length === 0 ? {} : { placements }),
      usedBy: clusters,
    })),
  };
}

/** Clusters belong together when they use the same configurations for the same reasons. */
function groupKey(effective: EffectiveConfiguration, placements: readonly string[]): string {
  let key = keys.get(effective);
  if (key === undefined) {
    key = JSON.stringify(effective.kinds.map(configEntries));
    keys.set(effective, key);
  }
  return `${key}${placements.join(' ')}`;
}
const keys = new WeakMap<EffectiveConfiguration, string>();

function configEntries({ group, resource, winners }: EffectiveKind): object[] {
  return winners.map(({ reference, level, placement }) => ({
    name: objectKey(reference.namespace, reference.name),
    resource: group === '' ? resource : `${resource}.${group}`,
    from: level === 'placement' ? `placement ${placement ?? ''}` : level,
    specHash: reference.specHash,
  }));
}

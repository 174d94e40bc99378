import type {
  Configuration,
  EffectiveConfiguration,
  EffectiveKind,
  ResolvedAddOn,
} from '../configure/resolved-add-on.ts';
import type { Rollouts } from '../rollout/rollout.ts';
import { objectKey } from '../model/inventory.ts';
import { groupResource } from '../../base/names/resource-name.ts';

/**
 * Returns what the hub will create from the emitted objects, for reviewers: for every add-on its clusters, grouped by identical
 * effective configuration, so that a diff of the file shows which clusters a change reaches.
 */
export function resolutionDocument({
  configuration,
  rollouts,
}: {
  readonly configuration: Configuration;
  readonly rollouts: Rollouts;
}): object {
  const entries = [...configuration.values()]
    .filter(({ isHubOwned }) => isHubOwned !== true)
    .map((addOn) => addOnEntry(addOn, rollouts.get(addOn.name)?.waveNumbers));
  return { addOns: entries };
}

function addOnEntry(addOn: ResolvedAddOn, waveNumbers: ReadonlyMap<string, number> | undefined): object {
  const groups = new Map<
    string,
    { effective: EffectiveConfiguration; placements: readonly string[]; clusters: string[] }
  >();
  for (const { effective, placements, clusters } of addOn.clusters.parts()) {
    const key = groupKey(effective, placements);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { effective, placements, clusters: [...clusters] });
    else for (const cluster of clusters) group.clusters.push(cluster);
  }
  for (const { clusters } of groups.values()) clusters.sort();
  return {
    name: addOn.name,
    clusters: addOn.clusters.size,
    ...(addOn.delivery === 'hub' ? {} : { delivery: addOn.delivery }),
    ...(addOn.managed ? {} : { managed: false }),
    ...(addOn.stalled === undefined ? {} : { stalled: addOn.stalled }),
    groups: [...groups.values()].map(({ effective, placements, clusters }) => ({
      configs: effective.kinds.flatMap(configEntries),
      ...(placements.length === 0 ? {} : { placements }),
      usedBy: clusters,
    })),
    ...(waveNumbers === undefined ? {} : { waves: wavesOf(waveNumbers) }),
  };
}

/** Returns the clusters of each wave, first to last. */
function wavesOf(waveNumbers: ReadonlyMap<string, number>): readonly (readonly string[])[] {
  const waves: (string[] | undefined)[] = [];
  for (const [cluster, wave] of waveNumbers) (waves[wave - 1] ??= []).push(cluster);
  // A wave in which only required add-ons change has no cluster.
  return Array.from(waves, (clusters) => clusters ?? []);
}

/** Returns the key of a group. Clusters are in one group if they use the same configurations for the same reasons. */
function groupKey(effective: EffectiveConfiguration, placements: readonly string[]): string {
  let key = keys.get(effective);
  if (key === undefined) {
    key = JSON.stringify(effective.kinds.map(configEntries));
    keys.set(effective, key);
  }
  return `${key}${placements.join(' ')}`;
}
const keys = new WeakMap<EffectiveConfiguration, string>();

/**
 * Returns the entries of a kind. A new revision changes its name and its hash: the keys after them are the same, so Git merges
 * branches that change neighboring entries.
 */
function configEntries({ group, resource, winners }: EffectiveKind): object[] {
  return winners.map(({ reference, level, placement }) => ({
    name: objectKey(reference.namespace, reference.name),
    resource: groupResource(group, resource),
    from: level === 'placement' ? `placement ${placement ?? ''}` : level,
    hash: reference.specHash,
  }));
}

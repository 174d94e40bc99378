import type { Resolution, Candidate, LossReason } from '../../compiler/index.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { withNamedConfigs } from '../../compiler/compare/named-configs.ts';
import { referentKey } from '../../ocm/referent.ts';

/** A field that names a configuration of an add-on. */
export interface ConfigurationUse {
  readonly addOn: string;
  readonly candidate: Candidate;
  /** The clusters on which the configuration counts because of this field. */
  readonly clusters: ReadonlySet<string>;
  /** The clusters on which it does not, by the reason. */
  readonly lost: ReadonlyMap<LossReason, ReadonlySet<string>>;
}

interface OpenUse extends ConfigurationUse {
  readonly clusters: Set<string>;
  readonly lost: Map<LossReason, Set<string>>;
}

const usesOf = new WeakMap<Resolution, ReadonlyMap<string, readonly ConfigurationUse[]>>();

/**
 * Returns every field that names a configuration and reaches a cluster, by the `referentKey` of the configuration. An editor asks for each
 * configuration of a file, so that the uses of a resolution are collected once.
 */
export function configurationUses(resolution: Resolution): ReadonlyMap<string, readonly ConfigurationUse[]> {
  const existing = usesOf.get(resolution) ?? collectedUses(resolution);
  usesOf.set(resolution, existing);
  return existing;
}

function collectedUses(resolution: Resolution): ReadonlyMap<string, readonly ConfigurationUse[]> {
  const uses = new Map<string, Map<string, OpenUse>>();
  const useOf = (addOn: string, candidate: Candidate): OpenUse => {
    const ofObject = getOrInsertComputed(uses, referentKey(candidate.reference), () => new Map());
    const { level, placement = '', path } = candidate;
    // Of overrides, each cluster has one with an equal path.
    const where = level === 'cluster' ? JSON.stringify(candidate.origin.location) : placement;
    return getOrInsertComputed(ofObject, JSON.stringify([addOn, level, where, path]), () => ({
      addOn,
      candidate,
      clusters: new Set(),
      lost: new Map(),
    }));
  };
  for (const resolved of resolution.configuration.values()) {
    for (const { placements, effective, clusters } of resolved.clusters.parts()) {
      const [cluster = ''] = clusters;
      const managedClusterAddOn = resolved.clusters.individual.get(cluster)?.managedClusterAddOn;
      const named = withNamedConfigs(
        { cluster, placements, effective, ...(managedClusterAddOn && { managedClusterAddOn }) },
        resolved,
        resolution,
      );
      for (const { winners, losers } of named.effective.kinds) {
        for (const winner of winners) addAll(useOf(resolved.name, winner).clusters, clusters);
        for (const { reason, ...loser } of losers)
          addAll(
            getOrInsertComputed(useOf(resolved.name, loser).lost, reason, () => new Set()),
            clusters,
          );
      }
    }
  }
  return new Map([...uses].map(([key, byField]) => [key, [...byField.values()]]));
}

function addAll(set: Set<string>, names: readonly string[]): void {
  for (const name of names) set.add(name);
}

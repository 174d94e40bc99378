import type { Candidate, ClusterClass, LossReason, Resolution, ResolvedAddOn } from '../../compiler/index.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import { withNamedConfigs } from '../../compiler/compare/named-configs.ts';
import { referentKey } from '../../ocm/referent.ts';

/**
 * The clusters of some classes of one add-on, which have no cluster in common. A configuration can reach a fleet with thousands of
 * clusters through each of its fields, so the names are only in the classes.
 */
export type ClusterLists = ReadonlySet<readonly string[]>;

/** Returns the number of clusters. */
export function sizeOf(lists: ClusterLists): number {
  let size = 0;
  for (const { length } of lists) size += length;
  return size;
}

/** A field that names a configuration of an add-on. */
export interface ConfigurationUse {
  readonly addOn: string;
  readonly candidate: Candidate;
  /** The clusters on which the configuration counts because of this field. */
  readonly clusters: ClusterLists;
  /** The clusters on which it does not, by the reason. */
  readonly lost: ReadonlyMap<LossReason, ClusterLists>;
}

interface OpenUse extends ConfigurationUse {
  readonly clusters: Set<readonly string[]>;
  readonly lost: Map<LossReason, Set<readonly string[]>>;
}

const usesOf = new WeakMap<Resolution, ReadonlyMap<string, readonly ConfigurationUse[]>>();

/**
 * Returns every field that names a configuration and reaches a cluster, by the `referentKey` of the configuration. An editor asks for each
 * configuration of a file after each edit, so that the uses of an add-on are collected once, and the lists of those that stay are the
 * same.
 */
export function configurationUses(resolution: Resolution): ReadonlyMap<string, readonly ConfigurationUse[]> {
  return getOrInsertComputed(usesOf, resolution, collectedUses);
}

function collectedUses(resolution: Resolution): ReadonlyMap<string, readonly ConfigurationUse[]> {
  const lists = new Map<string, (readonly ConfigurationUse[])[]>();
  for (const resolved of resolution.configuration.values())
    for (const [key, uses] of usesOfAddOn(resolved, resolution)) addToGroup(lists, key, uses);
  return new Map(
    Array.from(lists, ([key, ofAddOns]) => {
      const [only = []] = ofAddOns;
      return [key, ofAddOns.length === 1 ? only : shared.of(only, ofAddOns, () => ofAddOns.flat())];
    }),
  );
}

/** The uses of configurations that several add-ons name. */
const shared = new Remembered<readonly ConfigurationUse[]>();

const remembered = new Remembered<ReadonlyMap<string, readonly ConfigurationUse[]>>();

function usesOfAddOn(
  resolved: ResolvedAddOn,
  resolution: Resolution,
): ReadonlyMap<string, readonly ConfigurationUse[]> {
  // as withNamedConfigs, which reads it only for add-ons that the hub does not configure
  const defaults = resolved.managed
    ? undefined
    : resolution.inventory.clusterManagementAddOns.get(resolved.name);
  return remembered.of(resolved, [defaults], () => {
    const uses = new Map<string, Map<string, OpenUse>>();
    for (const part of resolved.clusters.parts()) addPart(uses, part, { resolved, resolution });
    return new Map(Array.from(uses, ([key, byField]) => [key, [...byField.values()]]));
  });
}

/** Adds the fields that reach a class of clusters. */
function addPart(
  uses: Map<string, Map<string, OpenUse>>,
  { placements, effective, clusters }: ClusterClass,
  { resolved, resolution }: { readonly resolved: ResolvedAddOn; readonly resolution: Resolution },
): void {
  const [cluster = ''] = clusters;
  const managedClusterAddOn = resolved.clusters.individual.get(cluster)?.managedClusterAddOn;
  const named = withNamedConfigs(
    { cluster, placements, effective, ...(managedClusterAddOn && { managedClusterAddOn }) },
    resolved,
    resolution,
  );
  for (const { winners, losers } of named.effective.kinds) {
    for (const winner of winners) useOf(uses, resolved.name, winner).clusters.add(clusters);
    for (const { reason, ...loser } of losers) {
      const { lost } = useOf(uses, resolved.name, loser);
      getOrInsertComputed(lost, reason, () => new Set()).add(clusters);
    }
  }
}

function useOf(uses: Map<string, Map<string, OpenUse>>, addOn: string, candidate: Candidate): OpenUse {
  const ofObject = getOrInsertComputed(uses, referentKey(candidate.reference), () => new Map());
  const { level, placement = '', path } = candidate;
  // Of overrides, each cluster has one with an equal path.
  const where = level === 'cluster' ? JSON.stringify(candidate.origin.location) : placement;
  return getOrInsertComputed(ofObject, JSON.stringify([level, where, path]), () => ({
    addOn,
    candidate,
    clusters: new Set(),
    lost: new Map(),
  }));
}

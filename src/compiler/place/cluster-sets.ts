import { addToGroup } from '../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type {
  ManagedClusterSetBindingV1beta2,
  ManagedClusterSetV1beta2,
  PlacementV1beta1,
} from '../../../schemas/types.gen.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import type { ClusterIndex, ClusterIndices } from './cluster-index.ts';
import { goQuote } from '../../base/go/quote.ts';
import type { SelectorFault } from './label-selector.ts';
import { keep, type Selectors } from './selectors.ts';

/** The label of a ManagedCluster that names its exclusive set. */
export const clusterSetLabel = 'cluster.open-cluster-management.io/clusterset';

/** The sets of a hub, the namespaces that they are bound to, and their members. */
export interface ClusterSets {
  exists(set: string): boolean;
  /** Returns the existing sets that are bound to a namespace, sorted. */
  bound(namespace: string): readonly string[];
  /** Returns the bound sets that a placement may select clusters from, sorted. */
  eligible(placement: PlacementV1beta1): readonly string[];
  /** Returns the clusters of a set that are not being deleted; a fault if the hub cannot read its selector. */
  members(set: string): ClusterIndices | SelectorFault;
  /** Returns the sets that a cluster belongs to, sorted. */
  of(cluster: number): readonly string[];
  /** Returns the clusters of several sets, each once. */
  union(sets: readonly string[]): ClusterIndices | SelectorFault;
}

const nobody = new Int32Array(0);

/**
 * Returns sets as OCM's placement controller sees them: it reads neither the conditions of bindings nor their `spec.clusterSet`.
 */
export function clusterSets(
  index: ClusterIndex,
  sets: readonly ManagedClusterSetV1beta2[],
  bindings: readonly ManagedClusterSetBindingV1beta2[],
  selectors: Selectors,
): ClusterSets {
  const byName = new Map(sets.map((set) => [set.metadata.name ?? '', set]));
  const names = [...byName.keys()].sort(compareUtf8);
  const boundByNamespace = boundSets(bindings, byName);
  const present = keep(
    Int32Array.from({ length: index.size }, (_, cluster) => cluster),
    (cluster) => isPresent(index, cluster),
  );
  const exclusive = exclusiveMembers(index, present);
  const members = new Map<string, ClusterIndices | SelectorFault>();
  const unions = new Map<string, ClusterIndices | SelectorFault>();
  let memberships: ReadonlyMap<number, readonly string[]> | undefined;

  const bound: ClusterSets['bound'] = (namespace) => boundByNamespace.get(namespace) ?? [];

  function membersOf(name: string): ClusterIndices | SelectorFault {
    return getOrInsertComputed(members, name, () =>
      findMembers(byName.get(name), exclusive.get(name) ?? nobody, present, selectors),
    );
  }

  function union(names: readonly string[]): ClusterIndices | SelectorFault {
    const key = names.join();
    return getOrInsertComputed(unions, key, () => unionOf(names, membersOf, present));
  }

  return {
    exists: (set) => byName.has(set),
    bound,
    members: membersOf,
    of: (cluster) => (memberships ??= membershipsOf(names, membersOf)).get(cluster) ?? [],
    union,
    eligible: ({ metadata, spec }) => {
      const all = bound(metadata.namespace ?? '');
      const named = new Set(spec.clusterSets);
      return named.size === 0 ? all : all.filter((set) => named.has(set));
    },
  };
}

/** Returns the clusters of a set. As ClusterSet's BuildClusterSelector. */
function findMembers(
  set: ManagedClusterSetV1beta2 | undefined,
  exclusive: ClusterIndices,
  present: ClusterIndices,
  selectors: Selectors,
): ClusterIndices | SelectorFault {
  if (set === undefined) return nobody;
  const { selectorType = '', labelSelector } = set.spec?.clusterSelector ?? {};
  switch (selectorType) {
    case '':
    case 'ExclusiveClusterSetLabel':
      return exclusive;
    case 'LabelSelector': {
      // as LabelSelectorAsSelector of a nil pointer: matches nothing, whereas an empty selector matches everything
      if (labelSelector === undefined) return nobody;
      const compiled = selectors.labels(labelSelector);
      return 'error' in compiled ? compiled : keep(present, compiled.matches);
    }
    default:
      return {
        error: `selectorType is not right: ${String(selectorType)}`,
        path: ['selectorType'],
      };
  }
}

/** Returns the clusters of several sets, each once. */
function unionOf(
  names: readonly string[],
  membersOf: ClusterSets['members'],
  present: ClusterIndices,
): ClusterIndices | SelectorFault {
  const lists: ClusterIndices[] = [];
  for (const name of names) {
    const list = membersOf(name);
    if ('error' in list) {
      return {
        error: `failed to get clusters from ClusterSet ${goQuote(name)}: ${list.error}`,
        path: list.path,
      };
    }
    lists.push(list);
  }
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const marks = new Uint8Array((present.at(-1) ?? -1) + 1);
  for (const list of lists) for (const cluster of list) marks[cluster] = 1;
  return keep(present, (cluster) => marks[cluster] === 1);
}

/** Returns the sets of each cluster, in the order of `names`. */
function membershipsOf(
  names: readonly string[],
  membersOf: ClusterSets['members'],
): ReadonlyMap<number, readonly string[]> {
  const memberships = new Map<number, string[]>();
  for (const name of names) {
    const members = membersOf(name);
    if ('error' in members) continue;
    for (const cluster of members) addToGroup(memberships, cluster, name);
  }
  return memberships;
}

function isPresent({ clusters }: ClusterIndex, cluster: number): boolean {
  return (clusters[cluster]?.metadata.deletionTimestamp ?? '') === '';
}

/** As GetValidManagedClusterSetBindings: a binding counts if it has the same name as a set. */
function boundSets(
  bindings: readonly ManagedClusterSetBindingV1beta2[],
  sets: ReadonlyMap<string, ManagedClusterSetV1beta2>,
): ReadonlyMap<string, readonly string[]> {
  const bound = new Map<string, Set<string>>();
  for (const { metadata } of bindings) {
    const { namespace = '', name = '' } = metadata;
    if (!sets.has(name)) continue;
    const names = bound.get(namespace);
    if (names) names.add(name);
    else bound.set(namespace, new Set([name]));
  }
  return new Map([...bound].map(([namespace, names]) => [namespace, [...names].sort(compareUtf8)]));
}

function exclusiveMembers(index: ClusterIndex, present: ClusterIndices): ReadonlyMap<string, ClusterIndices> {
  const members = new Map<string, number[]>();
  for (const cluster of present) {
    const set = index.labels[cluster]?.[clusterSetLabel];
    if (set !== undefined) addToGroup(members, set, cluster);
  }
  return new Map([...members].map(([set, list]) => [set, Int32Array.from(list)]));
}

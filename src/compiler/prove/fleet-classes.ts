import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { compareText } from '../../base/collections/compare-text.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { ClusterSpace } from './cluster-space.ts';
import type { Path } from './diagram.ts';
import type { ProvedState } from './verdict.ts';

/** The clusters of the fleet that no selector distinguishes. */
export interface FleetClass {
  /** The first of them by name. */
  readonly name: string;
  readonly object: ManagedClusterV1;
  readonly path: Path;
  /** The names of all of them, sorted. */
  readonly names: readonly string[];
  /** The number of claims that no selector names. Each takes one edit to remove. */
  readonly unnamedClaims: number;
}

/** Returns the classes of the clusters of the fleet, and the names of those that no class contains. */
export function fleetClasses(
  states: readonly ProvedState[],
  space: ClusterSpace,
): { readonly classes: readonly FleetClass[]; readonly unclassified: readonly string[] } {
  const unclassified: string[] = [];
  const clusters = new Map<string, ManagedClusterV1>();
  // no Placement selects clusters that are being deleted, whatever is edited
  for (const { decisions } of states)
    for (const [name, object] of decisions.clusters)
      if ((object.metadata.deletionTimestamp ?? '') === '') clusters.set(name, object);
  const classes = new Map<string, { path: Path; names: string[]; unnamedClaims: number }>();
  for (const [name, object] of clusters) {
    const path = space.regionsOf(object);
    if (path === undefined) {
      unclassified.push(name);
      continue;
    }
    const unnamedClaims = unnamedClaimsOf(object, space);
    const key = [...path.values(), unnamedClaims].join();
    getOrInsertComputed(classes, key, () => ({ path, names: [], unnamedClaims })).names.push(name);
  }
  const fleet = Array.from(classes.values(), ({ path, names, unnamedClaims }) => {
    const sorted = names.sort();
    const [name = ''] = sorted;
    const object = clusters.get(name);
    if (object === undefined) throw new RangeError(`there is no cluster ${name}`);
    return { name, object, path, names: sorted, unnamedClaims };
  });
  return { classes: fleet.sort((a, b) => compareText(a.name, b.name)), unclassified };
}

/** Zero unless some selector asks whether a cluster has any claim. */
function unnamedClaimsOf({ status }: ManagedClusterV1, space: ClusterSpace): number {
  if (space.variableOf({ kind: 'other claim' }) === undefined) return 0;
  return (status?.clusterClaims ?? []).filter(({ name = '' }) => !isNamedClaim(name, space)).length;
}

/** Whether a selector names the claim. */
export function isNamedClaim(claim: string, space: ClusterSpace): boolean {
  return space.variableOf({ kind: 'claim', key: claim }) !== undefined;
}

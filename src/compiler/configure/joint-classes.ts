import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { byFirstCluster, type AddOnClusters } from './add-on-clusters.ts';
import type { ClusterAddOn } from './resolved-add-on.ts';
import type { Selections, Selectors } from './selections.ts';

/** Clusters on which an add-on is the same in one state, and the same in another. */
export interface JointClass {
  /** The add-on on the first of the clusters. Undefined if the clusters do not have it in that state. */
  readonly before?: ClusterAddOn;
  readonly after?: ClusterAddOn;
  /** Sorted by name. At least one. */
  readonly clusters: readonly string[];
}

/** Clusters with the same selectors in one state, and the same in another. */
interface JointSelection {
  readonly clusters: readonly string[];
}

const joined = new WeakMap<Selections, WeakMap<Selections, readonly JointSelection[]>>();
const classes = new WeakMap<AddOnClusters, WeakMap<AddOnClusters, readonly JointClass[]>>();

/**
 * Returns the clusters of an add-on in two states, grouped by what the add-on is in both, and sorted by the first cluster. Clusters
 * with an override in one of the states are alone. The selected clusters are grouped once for all add-ons with the same placements.
 */
export function jointClasses(before: AddOnClusters, after: AddOnClusters): readonly JointClass[] {
  const ofBefore = getOrInsertComputed(classes, before, () => new WeakMap<AddOnClusters, JointClass[]>());
  return getOrInsertComputed(ofBefore, after, () => group(before, after));
}

function group(before: AddOnClusters, after: AddOnClusters): JointClass[] {
  const individual = new Set([...before.individual.keys(), ...after.individual.keys()]);
  const groups: JointClass[] = [];
  for (const selection of jointSelections(before.selections, after.selections)) {
    const clusters =
      individual.size === 0
        ? selection.clusters
        : selection.clusters.filter((cluster) => !individual.has(cluster));
    const [first] = clusters;
    if (first === undefined) continue;
    groups.push(sidesOn(first, before, after, clusters));
  }
  for (const cluster of individual) groups.push(sidesOn(cluster, before, after, [cluster]));
  return groups.sort(byFirstCluster);
}

function sidesOn(
  cluster: string,
  before: AddOnClusters,
  after: AddOnClusters,
  clusters: readonly string[],
): JointClass {
  const [earlier, later] = [before.get(cluster), after.get(cluster)];
  return { ...(earlier && { before: earlier }), ...(later && { after: later }), clusters };
}

function jointSelections(before: Selections, after: Selections): readonly JointSelection[] {
  const ofBefore = getOrInsertComputed(joined, before, () => new WeakMap<Selections, JointSelection[]>());
  return getOrInsertComputed(ofBefore, after, () => join(before, after));
}

function join(beforeAll: Selections, afterAll: Selections): readonly JointSelection[] {
  const [{ byCluster: before }, { byCluster: after }] = [beforeAll, afterAll];
  // An add-on that is installed for the first time, or removed.
  if (before.size === 0) return wholeClasses(afterAll);
  if (after.size === 0) return wholeClasses(beforeAll);
  const groups = new Map<Selectors | undefined, Map<Selectors | undefined, string[]>>();
  const add = (cluster: string, earlier: Selectors | undefined, later: Selectors | undefined): void => {
    const ofEarlier = getOrInsertComputed(groups, earlier, () => new Map<Selectors, string[]>());
    getOrInsertComputed(ofEarlier, later, () => []).push(cluster);
  };
  for (const [cluster, selectors] of before) add(cluster, selectors, after.get(cluster));
  for (const [cluster, selectors] of after) if (!before.has(cluster)) add(cluster, undefined, selectors);
  return [...groups.values()].flatMap((ofEarlier) =>
    Array.from(ofEarlier.values(), (clusters) => ({ clusters })),
  );
}

function wholeClasses({ classes: all }: Selections): readonly JointSelection[] {
  return Array.from(all.values(), (clusters) => ({ clusters }));
}

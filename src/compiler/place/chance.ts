import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { ClusterIndex } from './cluster-index.ts';
import type { Decision } from './decision.ts';
import { pointAt } from '../model/point-at.ts';

/** What the hub selected before, by cluster index. */
type Before = (decision: Decision) => Int32Array;

/**
 * Reports placements whose result depends on the order in which the hub decides them, because they balance. Those without an earlier
 * decision compete with others without one, those with one with others that also change. The hub may decide a placement before it has
 * seen its own decision of another: as OCM's schedulingController, which reads decisions from a cache.
 *
 * @param fresh - the placements without an earlier decision
 * @param standing - the placements with one
 */
export function decidedByChance(
  fresh: readonly Decision[],
  standing: readonly Decision[],
  index: ClusterIndex,
  before: Before,
): Diagnostic[] {
  const taken = new Int32Array(index.size);
  for (const { reasoning } of fresh) addOne(taken, reasoning?.scheduling.selected ?? []);
  const moved = new Map<Decision, ReadonlySet<number>>();
  const changes = new Int32Array(index.size);
  for (const decision of standing) {
    const changed = changedClusters(decision, before(decision), index.size);
    if (changed.size === 0) continue;
    moved.set(decision, changed);
    addOne(changes, changed);
  }
  return [
    ...fresh
      .filter((decision) => dependsOnOthers(decision, taken, decision.reasoning?.scheduling.selected ?? []))
      .map((decision) => byChance(decision, ofNew)),
    ...[...moved]
      .filter(([decision, own]) => dependsOnOthers(decision, changes, own))
      .map(([decision]) => byChance(decision, ofMoved)),
  ];
}

const ofNew = {
  message:
    'the selected clusters depend on the order in which the hub handles new placements; the prediction uses the order of their names',
  hint: 'add the PlacementDecisions of the hub to the fleet snapshot, or set the weight of Balance to 0',
};
const ofMoved = {
  message:
    'the selected clusters depend on the order in which the hub handles the placements that change; the prediction uses the order of their names',
  hint: 'set the weight of Steady to 3 or more, or that of Balance to 0',
};

function byChance({ placement }: Decision, words: typeof ofNew): Diagnostic {
  return diagnostic('FW3008', { ...words, ...pointAt(placement, ['spec', 'numberOfClusters']) });
}

function addOne(counts: Int32Array, clusters: Iterable<number>): void {
  for (const cluster of clusters) counts[cluster] = (counts[cluster] ?? 0) + 1;
}

/** Returns the clusters that a placement gains or loses. Names without a cluster have a higher index. */
function changedClusters({ reasoning }: Decision, before: Int32Array, size: number): ReadonlySet<number> {
  if (reasoning === undefined) return new Set();
  const changed = new Set(before.filter((cluster) => cluster < size));
  for (const cluster of reasoning.scheduling.selected ?? [])
    if (!changed.delete(cluster)) changed.add(cluster);
  return changed;
}

/** Whether the choice of a placement is between clusters that others take or leave, too. */
function dependsOnOthers({ reasoning }: Decision, counts: Int32Array, own: Iterable<number>): boolean {
  const { ranking, prioritizers = [] } = reasoning?.scheduling ?? {};
  if (ranking === undefined || !prioritizers.some(({ builtIn }) => builtIn === 'Balance')) return false;
  const ownClusters = new Set(own);
  return ranking.clusters.some((cluster) => (counts[cluster] ?? 0) > (ownClusters.has(cluster) ? 1 : 0));
}

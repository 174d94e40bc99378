import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { ClusterIndex } from './cluster-index.ts';
import type { Decision } from './decision.ts';
import { pointAt } from '../model/point-at.ts';

/**
 * Reports placements without an earlier decision whose result depends on the order in which the hub decides them: they
 * balance, and other such placements select from the same clusters. `fresh` are the placements without an earlier decision.
 */
export function decidedByChance(fresh: readonly Decision[], index: ClusterIndex): Diagnostic[] {
  const taken = new Int32Array(index.size);
  for (const { reasoning } of fresh) {
    for (const cluster of reasoning?.scheduling.selected ?? []) taken[cluster] = (taken[cluster] ?? 0) + 1;
  }
  return fresh.filter((decision) => dependsOnOthers(decision, taken)).map(byChance);
}

function byChance({ placement }: Decision): Diagnostic {
  return diagnostic('FW3008', {
    message:
      'the selected clusters depend on the order in which the hub handles new placements; the prediction uses the order of their names',
    ...pointAt(placement, ['spec', 'numberOfClusters']),
    hint: 'add the PlacementDecisions of the hub to the fleet snapshot, or set the weight of Balance to 0',
  });
}

function dependsOnOthers({ reasoning }: Decision, taken: Int32Array): boolean {
  const { ranking, selected = [], prioritizers = [] } = reasoning?.scheduling ?? {};
  if (ranking === undefined || !prioritizers.some(({ builtIn }) => builtIn === 'Balance')) return false;
  const selectedSet = new Set(selected);
  return ranking.clusters.some((cluster) => (taken[cluster] ?? 0) > (selectedSet.has(cluster) ? 1 : 0));
}

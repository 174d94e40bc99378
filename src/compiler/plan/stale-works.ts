import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { pointAt } from '../model/point-at.ts';
import { replicaSetReach } from '../rollout/replica-set.ts';
import { clusterCount } from '../model/words.ts';
import { workText } from '../compare/works/compare-works.ts';
import type { Pair } from '../compare/resolution-pair.ts';

/**
 * Returns diagnostics for sets whose works a change edits and removes from clusters at the same time. As OCM's
 * manifestworkreplicasetcontroller: it considers only works of a Placement that match the current content of the set. A work with
 * earlier content on a cluster that is no longer selected is never deleted.
 */
export function staleWorks({ base, head, works, hub, baseHub }: Pair): Diagnostic[] {
  return [...works.head.replicaSets].flatMap(([name, after]): Diagnostic[] => {
    const before = works.base.replicaSets.get(name);
    if (before === undefined || workText([before]) === workText([after])) return [];
    const earlier = replicaSetReach(before, base.resolution.decisions, base.resolution.inventory, baseHub);
    const later = replicaSetReach(after, head.resolution.decisions, head.resolution.inventory, hub);
    const named = new Set(later.named);
    const lost = [...earlier.clusters].filter(
      ([cluster, placements]) =>
        !later.clusters.has(cluster) &&
        placements.some(
          (placement) =>
            named.has(placement) &&
            !later.stopped.has(placement) &&
            later.waiting.get(placement)?.includes(cluster) !== true,
        ),
    );
    if (lost.length === 0) return [];
    return [
      diagnostic('FW6012', {
        message: `the change edits the works of ManifestWorkReplicaSet "${name}" and removes them from ${clusterCount(lost.length)}: the hub can leave the earlier works there, and does not delete them later`,
        ...pointAt(after, ['spec', 'manifestWorkTemplate']),
        hint: 'split the change in two: first remove the clusters, and edit the works after the hub has deleted them there',
      }),
    ];
  });
}

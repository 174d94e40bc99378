import { compiledPlacements } from '../configure/compiled-placements.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { pointAt } from '../model/point-at.ts';
import type { ClusterIndex } from '../place/cluster-index.ts';
import type { Decision, Decisions, Reasoning } from '../place/decision.ts';
import type { WeightedPrioritizer } from '../place/prioritizers/weights.ts';
import type { Ranking } from '../place/ranking.ts';
import { judgeTaint } from '../place/taints.ts';
import type { AppStates, Plan } from './plan.ts';

/**
 * Reports placements of both states whose clusters depend on decisions that the hub made before the earlier state, and that the
 * inputs do not have. A plan without changes is right for every history.
 */
export function unknownHistory(
  apps: readonly Pick<AppStates, 'base' | 'head'>[],
  { objects, addOns }: Pick<Plan, 'objects' | 'addOns'>,
): Diagnostic[] {
  if (objects.length === 0 && addOns.length === 0) return [];
  const findings = new Map<string, Diagnostic>();
  for (const { base, head } of apps) {
    for (const [key, decision] of base.decisions.byPlacement) {
      const later = head.decisions.byPlacement.get(key);
      if (later === undefined || findings.has(key)) continue;
      if (base.decisions.given.has(key) || head.decisions.given.has(key)) continue;
      const isCompiled = compiledPlacements(head.inventory).has(key);
      const why = isCompiled ? whyUnknown(later, head.decisions) : whyUnknown(decision, base.decisions);
      if (why !== undefined)
        findings.set(key, isCompiled ? forgotten(key, later, why) : unknown(key, later, why));
    }
  }
  return [...findings.values()];
}

interface Unknown {
  /** What makes the hub prefer clusters that it selected before. */
  readonly cause: string;
  readonly path: readonly string[];
}

function unknown(key: string, { placement }: Decision, { cause, path }: Unknown): Diagnostic {
  return diagnostic('FW8150', {
    message: `which clusters Placement ${key} has now depends on earlier decisions of the hub, which no snapshot contains: ${cause}; the plan starts from those of a first installation`,
    ...pointAt(placement, path),
    hint: 'run fleetwright fleet pull and plan again: its snapshot has the PlacementDecisions of the hub',
  });
}

/** The output decides for compiled delivery, and the plan knows it. But the hub would have kept its clusters. */
function forgotten(key: string, { placement }: Decision, { cause, path }: Unknown): Diagnostic {
  return diagnostic('FW8150', {
    message: `Placement ${key} is one of compiled delivery, which starts from the earlier decisions of the snapshot, and no snapshot contains them: ${cause}; an edit can move installations to other clusters`,
    ...pointAt(placement, path),
    hint: 'run fleetwright fleet pull and synth: its snapshot has the PlacementDecisions of the hub',
  });
}

function whyUnknown({ reasoning }: Decision, { scheduler, now }: Decisions): Unknown | undefined {
  if (reasoning === undefined) return undefined;
  const spared = sparedCluster(reasoning, scheduler.index, now);
  if (spared !== undefined)
    return {
      cause: `it keeps cluster "${spared}", which has a taint NoSelectIfNew, only if it had it before`,
      path: ['spec', 'tolerations'],
    };
  const { ranking, selected } = reasoning.scheduling;
  if (ranking === undefined || !couldBeOthers(ranking, new Set(selected))) return undefined;
  return {
    cause: `${ranking.clusters.length} clusters match, it selects ${selected.length}, and the hub prefers those that it selected before`,
    path: ['spec', 'numberOfClusters'],
  };
}

/** Returns a cluster that only a taint NoSelectIfNew excludes. */
function sparedCluster(
  { scheduling: { candidates, tolerations = [], tolerated } }: Reasoning,
  index: ClusterIndex,
  now: number,
): string | undefined {
  if (candidates.misconfiguration !== undefined || tolerated === undefined) return undefined;
  const accepted = new Set(tolerated);
  const spared = candidates.matching.find(
    (cluster) =>
      !accepted.has(cluster) &&
      index.taints[cluster]?.every((taint) => judgeTaint(taint, tolerations, true, now).accepted) === true,
  );
  return spared === undefined ? undefined : index.namesOf(Int32Array.of(spared))[0];
}

/** Whether earlier decisions can raise a cluster that is not selected above one that is. */
function couldBeOthers({ clusters, prioritizers }: Ranking, selected: ReadonlySet<number>): boolean {
  let influence = 0;
  const scores = new Float64Array(clusters.length);
  for (const { prioritizer, scores: ofOne } of prioritizers) {
    const range = rangeOf(prioritizer);
    influence += Math.abs(prioritizer.weight) * range;
    if (range > 0) continue;
    for (const [position, score] of ofOne.entries())
      if (!Number.isNaN(score)) scores[position] = (scores[position] ?? 0) + score * prioritizer.weight;
  }
  if (influence === 0) return false;
  let lowest = Infinity;
  let highest = -Infinity;
  for (const [position, cluster] of clusters.entries()) {
    const score = scores[position] ?? 0;
    if (selected.has(cluster)) lowest = Math.min(lowest, score);
    else highest = Math.max(highest, score);
  }
  return lowest - highest <= influence;
}

/** The difference between the highest and the lowest score that earlier decisions give. */
function rangeOf({ builtIn }: WeightedPrioritizer): number {
  if (builtIn === 'Steady') return 100;
  return builtIn === 'Balance' ? 200 : 0;
}

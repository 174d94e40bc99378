import type { PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import { objectKey } from '../model/inventory.ts';
import type { Candidates } from './candidates.ts';
import type { ClusterIndex, ClusterIndices } from './cluster-index.ts';
import type { EarlierDecisions } from './earlier-decisions.ts';
import type { Misconfiguration } from './fault.ts';
import type { SchedulerIndex } from './scheduler-index.ts';
import { weightedPrioritizers, type WeightedPrioritizer } from './prioritizers/weights.ts';
import { best, rank, type Ranking } from './ranking.ts';
import { keep } from './selectors.ts';
import { compileTolerations, judgeTaint, type CompiledToleration } from './taints.ts';

/** The inputs for scheduling a placement. */
export interface ScheduleContext {
  readonly hub: SchedulerIndex;
  readonly earlier: EarlierDecisions;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** One run of the hub's scheduler for one placement. */
export interface Scheduling {
  readonly candidates: Candidates;
  /** Absent if the scheduler stopped before taints. */
  readonly tolerations?: readonly CompiledToleration[];
  /** The candidates whose taints do not exclude them; absent if there was a fault before. */
  readonly tolerated?: ClusterIndices;
  /** Absent if there was a fault before. */
  readonly prioritizers?: readonly WeightedPrioritizer[];
  /** Whether a cluster was in the placement's earlier decision. */
  readonly isSelected: (cluster: number) => boolean;
  /** In the order of names. */
  readonly selected: ClusterIndices;
  /** The scores that decided; absent if none were needed, because there are not more clusters than requested. */
  readonly ranking?: Ranking;
  /** The number of clusters that `spec.numberOfClusters` still lacks. */
  readonly unscheduled: number;
  readonly misconfiguration?: Misconfiguration;
  /** Whether other earlier decisions could change the selection. */
  readonly dependsOnDecisions: boolean;
}

const nobody = new Int32Array(0);

/**
 * Selects the clusters of one placement, as OCM's schedule.go: predicates, taints, prioritizers, then the first
 * `numberOfClusters`. `spec.numberOfClusters` must not be negative, which crashes the hub.
 */
export function schedule(
  placement: PlacementV1beta1,
  candidates: Candidates,
  context: ScheduleContext,
): Scheduling {
  const { hub, earlier, now } = context;
  const earlierClusters = earlier.of(placementKey(placement));
  const isSelected = membership(hub.index, earlierClusters);
  const none = { candidates, isSelected, selected: nobody, unscheduled: 0, dependsOnDecisions: false };
  if (candidates.misconfiguration !== undefined)
    return { ...none, misconfiguration: candidates.misconfiguration };

  const { matching } = candidates;
  // as TaintToleration.Filter: without clusters to filter, the tolerations are not read
  const tolerations = matching.length === 0 ? [] : compileTolerations(placement.spec.tolerations ?? []);
  if ('plugin' in tolerations) return { ...none, misconfiguration: tolerations };
  const { tolerated, remembers } = filterTaints(hub.index, matching, tolerations, isSelected, now);

  const prioritizers = weightedPrioritizers(placement.spec.prioritizerPolicy);
  const filtered = { ...none, tolerations, tolerated };
  if ('plugin' in prioritizers)
    return { ...filtered, misconfiguration: prioritizers, dependsOnDecisions: remembers };

  const number = placement.spec.numberOfClusters ?? tolerated.length;
  // scores decide only if there are more clusters than requested
  const isChoice = number > 0 && number < tolerated.length;
  const scheduled: Scheduling = {
    ...filtered,
    prioritizers,
    selected: tolerated,
    unscheduled: Math.max(0, number - tolerated.length),
    dependsOnDecisions: remembers || (isChoice && prioritizers.some(readsDecisions)),
  };
  if (!isChoice) return number === 0 ? { ...scheduled, selected: nobody } : scheduled;
  const ranking = rankClusters(placement, scheduled, context);
  return { ...scheduled, ranking, selected: best(ranking, number).sort() };
}

/** Returns the scores of a scheduling, for all clusters that passed the filters. Empty if the scheduler stopped before. */
export function rankClusters(
  placement: PlacementV1beta1,
  { tolerated = nobody, prioritizers = [], isSelected }: Scheduling,
  context: ScheduleContext,
): Ranking {
  return rank(tolerated, prioritizers, { ...context, placement: placementKey(placement), isSelected });
}

function placementKey({ metadata }: PlacementV1beta1): string {
  return objectKey(metadata.namespace, metadata.name ?? '');
}

function readsDecisions({ builtIn }: WeightedPrioritizer): boolean {
  return builtIn === 'Balance' || builtIn === 'Steady';
}

function membership({ size }: ClusterIndex, members: Int32Array): (cluster: number) => boolean {
  if (members.length === 0) return () => false;
  const marks = new Uint8Array(size);
  // names without a cluster have numbers beyond the clusters, and are out of range
  for (const cluster of members) marks[cluster] = 1;
  return (cluster) => marks[cluster] === 1;
}

/** Also reports whether an earlier decision made, or could have made, a difference. */
function filterTaints(
  { taints }: ClusterIndex,
  candidates: ClusterIndices,
  tolerations: readonly CompiledToleration[],
  isSelected: (cluster: number) => boolean,
  now: number,
): { tolerated: ClusterIndices; remembers: boolean } {
  let remembers = false;
  const tolerated = keep(candidates, (cluster) => {
    const taintsOfCluster = taints[cluster];
    if (taintsOfCluster === undefined) return true;
    remembers ||= taintsOfCluster.some(({ effect }) => effect === 'NoSelectIfNew');
    return taintsOfCluster.every(
      (taint) => judgeTaint(taint, tolerations, isSelected(cluster), now).accepted,
    );
  });
  return { tolerated, remembers };
}

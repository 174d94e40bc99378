import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { AddOnClusters } from '../../configure/add-on-clusters.ts';
import type { ClusterAddOn } from '../../configure/resolved-add-on.ts';
import type { Selections } from '../../configure/selections.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { isCounted } from './agent.ts';
import type { ClusterPhase } from '../cluster-phase.ts';
import { mandatoryGroups, type TrackedGroup } from '../decision-tracker.ts';
import type { StrategyNode } from '../graph.ts';
import { isStarted, type ClusterProgress, type Progress, type Step } from '../progress.ts';
import { progressionOf, type Progression } from '../progression.ts';
import { ConcurrentClusters } from '../concurrent-clusters.ts';
import type { SharedStates } from './shared-states.ts';
import type { WaveGroup } from '../wave.ts';

/** The part of one placement in a rollout: its strategy, and the progress of the clusters that it leads. */
export class PlacementRollout {
  readonly node: StrategyNode;
  readonly #handler: ConcurrentClusters;
  readonly #hub: HubVersion;
  readonly #groups: ReadonlyMap<TrackedGroup, WaveGroup>;
  /** Children that the hub's report omits. */
  readonly #uncounted = new Set<string>();
  readonly #progress = new Map<string, Progress>();
  /** The number of children per progress, as far as the hub counts them. */
  readonly #counts: Record<Progress, number> = { ToApply: 0, Progressing: 0, Succeeded: 0, Failed: 0 };
  /** The number of children per progress, including those that the hub does not count. */
  readonly #children: Record<Progress, number> = { ToApply: 0, Progressing: 0, Succeeded: 0, Failed: 0 };
  /** The number of clusters that the placement selects and whose add-on a later placement configures. */
  readonly #taken: number;

  constructor(node: StrategyNode, installed: AddOnClusters, states: SharedStates, hub: HubVersion) {
    this.node = node;
    this.#hub = hub;
    const mandatory = new Set(mandatoryGroups(node.groups, node.strategy));
    this.#groups = new Map(
      node.groups.map((group) => [
        group,
        { index: group.index, name: group.name, mandatory: mandatory.has(group) },
      ]),
    );
    const children: ClusterProgress[] = [];
    node.children.forEach((child) => {
      children.push(statusOf(child, states));
      if (!isCounted(child, hub)) this.#uncounted.add(child.cluster);
    });
    this.#handler = new ConcurrentClusters(
      node.strategy,
      node.groups,
      children,
      (cluster) => !this.#uncounted.has(cluster),
    );
    for (const child of children) this.#count(child);
    this.#taken = takenClusters(this.#handler.clusters, node, installed);
  }

  /** Whether a child is in progress or failed. */
  get hasStarted(): boolean {
    return this.#children.Progressing + this.#children.Failed > 0;
  }

  step(now: number): Step | Error {
    return this.#handler.step(now);
  }

  /** Updates a child whose state has changed. */
  update(child: ClusterAddOn, states: SharedStates): void {
    const status = statusOf(child, states);
    this.#count(status);
    this.#handler.update(status);
  }

  /** Returns the decision group of a child: one object for all clusters of the group. */
  groupOf(cluster: string): WaveGroup | undefined {
    const group = this.#handler.groupOf(cluster);
    return group && this.#groups.get(group);
  }

  /** Returns whether the configuration is not released to the cluster yet. */
  isWaiting(cluster: string): boolean {
    return this.#progress.get(cluster) === 'ToApply';
  }

  /** Returns the clusters that are in progress or failed. */
  started(): readonly string[] {
    if (!this.hasStarted) return [];
    return [...this.#progress].filter(([, progress]) => isStarted(progress)).map(([cluster]) => cluster);
  }

  /** Returns the clusters that wait for their configuration, sorted by name. */
  waiting(): readonly string[] {
    if (this.#children.ToApply === 0) return [];
    return [...this.#progress.keys()].filter((cluster) => this.isWaiting(cluster)).sort();
  }

  /** Returns the phase of a child, or undefined if it has not started. */
  phaseOf(cluster: string, now: number): ClusterPhase | undefined {
    return this.#handler.phaseOf(cluster, now);
  }

  /** Returns the children with the given phase, sorted by name. */
  inPhase(phase: ClusterPhase, now: number): readonly string[] {
    return [...this.node.children.keys()].filter((cluster) => this.phaseOf(cluster, now) === phase).sort();
  }

  /** Returns the progression that the hub reports with a step. */
  progression({ rolling, soaking, failing, timedOut }: Step): Progression {
    const selected = this.#handler.clusters.length;
    const counts = {
      selected,
      configured: selected - this.#taken,
      progressing: rolling,
      done: this.#counts.Succeeded - soaking,
      failed: this.#counts.Failed - failing,
      timedOut,
    };
    return progressionOf(this.node.placement, counts, this.#hub);
  }

  #count({ cluster, progress }: ClusterProgress): void {
    const before = this.#progress.get(cluster);
    this.#progress.set(cluster, progress);
    move(this.#children, before, progress);
    if (!this.#uncounted.has(cluster)) move(this.#counts, before, progress);
  }
}

function move(counts: Record<Progress, number>, before: Progress | undefined, after: Progress): void {
  if (before !== undefined) counts[before] -= 1;
  counts[after] += 1;
}

function statusOf(child: ClusterAddOn, states: SharedStates): ClusterProgress {
  const { progress, since } = states.compare(child);
  return { cluster: child.cluster, progress, ...(since !== undefined && { since }) };
}

const taken = new WeakMap<readonly string[], WeakMap<Selections, number>>();

/**
 * Returns the number of clusters that have the add-on and whose rollout another placement leads. Those that placements select are
 * counted once for all add-ons with the same placements.
 */
function takenClusters(
  clusters: readonly string[],
  { placement, children }: StrategyNode,
  { selections, individual }: AddOnClusters,
): number {
  const { byCluster } = selections;
  const isLedByOther = ({ placements }: Pick<ClusterAddOn, 'placements'>): boolean =>
    placements.at(-1) !== placement;
  const ofSelections = getOrInsertComputed(taken, clusters, () => new WeakMap<Selections, number>());
  const selected = getOrInsertComputed(ofSelections, children.selections, () =>
    numberOf(clusters, (cluster) => byCluster.get(cluster), isLedByOther),
  );
  if (individual.size === 0) return selected;
  const unselected = (cluster: string): ClusterAddOn | undefined =>
    byCluster.has(cluster) ? undefined : individual.get(cluster);
  return selected + numberOf(clusters, unselected, isLedByOther);
}

function numberOf<T>(
  clusters: readonly string[],
  find: (cluster: string) => T | undefined,
  isPart: (value: T) => boolean,
): number {
  return clusters.filter((cluster) => {
    const value = find(cluster);
    return value !== undefined && isPart(value);
  }).length;
}

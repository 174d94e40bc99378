import { compareText } from '../../base/collections/compare-text.ts';
import { endOf, phaseAt, type ClusterPhase } from './cluster-phase.ts';
import { mandatoryGroups, type TrackedGroup } from './decision-tracker.ts';
import { clustersOf, groupIndex } from './queue/group-index.ts';
import { GroupQueue } from './queue/group-queue.ts';
import type { ClusterProgress, Step } from './progress.ts';
import { InFlightClusters, type Member } from './queue/in-flight-clusters.ts';
import { limitError, sizeOf, type Size, type Strategy } from './strategy/strategy.ts';

/** A cluster whose rollout the placement leads. */
interface Child extends Member {
  /** Whether the rollout has reached it, so that it is counted as in flight once it starts. */
  passed: boolean;
  /** The next child by name that may be incomplete. */
  next: Child | undefined;
}

/**
 * Determines the clusters of a placement that change at each point in time. As sdk-go's RolloutHandler, which checks all clusters
 * each time. This class counts those in progress, so that the cost of a step depends on the clusters that start and end in it,
 * not on the size of the fleet. Only if clusters fail in a rollout by cluster does it check all incomplete clusters.
 */
export class ConcurrentClusters {
  /** All clusters of the placement, sorted by name, including those whose rollout another placement leads. */
  readonly clusters: readonly string[];
  readonly #strategy: Strategy;
  /** The number of clusters that may change at the same time, after the mandatory groups are complete. */
  readonly #places: number | Error;
  readonly #maxFailures: number | Error;
  readonly #mandatory: GroupQueue;
  readonly #rest: GroupQueue;
  readonly #children = new Map<string, Child>();
  /** The position before the first child by name that may be incomplete. */
  readonly #head: Pick<Child, 'next'> = { next: undefined };
  /** The first child by name that is not passed. */
  #cursor: Child | undefined;
  /** The number of clusters of a group that have not started. Clusters that are not children never start. */
  readonly #waiting = new Map<TrackedGroup, number>();
  readonly #inFlight = new InFlightClusters();

  /**
   * @param children - the clusters that the placement leads, because it is the last that selects them
   * @param isCounted - returns whether the hub's report counts a child
   */
  constructor(
    strategy: Strategy,
    tracked: readonly TrackedGroup[],
    children: readonly ClusterProgress[],
    isCounted: (cluster: string) => boolean = () => true,
  ) {
    const { all, clusters, groupOf } = groupIndex(tracked);
    const mandatory = mandatoryGroups(tracked, strategy);
    const excluded = new Set(mandatory);
    const rest = all.filter((group) => !excluded.has(group));
    const remaining = mandatory.length === 0 ? clusters.length : clustersOf(rest).length;
    this.clusters = clusters;
    this.#strategy = strategy;
    this.#places = sizeOf(strategy.maxConcurrency, remaining, remaining);
    this.#maxFailures = sizeOf(strategy.maxFailures, this.clusters.length, 0);
    this.#mandatory = new GroupQueue(mandatory, this.#waiting);
    this.#rest = new GroupQueue(rest, this.#waiting);
    for (const group of [...mandatory, ...rest]) this.#waiting.set(group, group.clusters.length);

    // A rollout by group processes all its clusters at once.
    const passed = mandatory.length > 0 || strategy.type === 'ProgressivePerGroup';
    let last = this.#head;
    for (const status of sortedByCluster(children)) {
      const { cluster } = status;
      const group = groupOf.get(cluster);
      // As getRemovedClusters: a child without a group does not take part in the rollout.
      if (group === undefined) continue;
      const child: Child = {
        cluster,
        group,
        counted: isCounted(cluster),
        progress: 'ToApply',
        until: Infinity,
        phase: 'out',
        passed,
        next: undefined,
      };
      this.#children.set(cluster, child);
      last.next = child;
      last = child;
      this.update(status);
    }
    this.#cursor = this.#head.next;
  }

  /** Returns the decision group of a child. */
  groupOf(cluster: string): TrackedGroup | undefined {
    return this.#children.get(cluster)?.group;
  }

  /** Returns the phase of a child, or undefined if it has not started. */
  phaseOf(cluster: string, now: number): ClusterPhase | undefined {
    const child = this.#children.get(cluster);
    return child && phaseAt(child.progress, child.until, now);
  }

  /** Updates the progress of a child. Clusters that start in a step must be updated before the next step. */
  update({ cluster, progress, since }: ClusterProgress): void {
    const child = this.#children.get(cluster);
    if (child === undefined) return;
    if (child.progress === 'ToApply' && progress !== 'ToApply') {
      this.#waiting.set(child.group, (this.#waiting.get(child.group) ?? 0) - 1);
    }
    this.#inFlight.leave(child);
    child.progress = progress;
    child.until = endOf(this.#strategy, progress, since);
    if (child.passed && progress !== 'ToApply') this.#inFlight.join(child);
  }

  /**
   * Returns the hub's step at a point in time, which must not be before the previous one. An `Error` with the hub's message stops
   * the whole add-on.
   */
  step(now: number): Step | Error {
    const { type, progressDeadline, maxFailures } = this.#strategy;
    if (progressDeadline instanceof Error) return progressDeadline;
    this.#inFlight.advance(now);
    if (type === 'All') return this.#byCluster(this.clusters.length, this.clusters.length, now);
    if (this.#maxFailures instanceof Error) return limitError('maxFailures', this.#maxFailures);
    if (this.#mandatory.length > 0) {
      const first = this.#byGroup(this.#mandatory, 0);
      if (first.rolling + first.foreign.length + first.timedOut > 0) return first;
    }
    if (type === 'ProgressivePerGroup') return this.#byGroup(this.#rest, maxFailures);
    if (this.#places instanceof Error) return limitError('maxConcurrency', this.#places);
    return this.#byCluster(this.#places, this.#maxFailures, now);
  }

  /** As sdk-go's progressivePerGroup: everything in progress, then the groups up to the first one with remaining work. */
  #byGroup(queue: GroupQueue, maxFailures: Size): Step {
    const { rolling, late, failures } = this.#inFlight;
    const starting: string[] = [];
    const foreign: string[] = [];
    let breached = false;
    let failed = 0;
    for (const group of queue.candidates(failures.keys())) {
      for (const cluster of this.#waitingIn(group))
        (this.#children.has(cluster) ? starting : foreign).push(cluster);
      const failedHere = failures.get(group) ?? 0;
      const limit = sizeOf(maxFailures, group.clusters.length, 0);
      failed += failedHere;
      // maxFailures was parsed before, so it is a valid size.
      breached = typeof limit === 'number' && failedHere > limit;
      if (rolling + starting.length + foreign.length - failed > 0 || breached) break;
    }
    return this.#stepOf({ starting, foreign, timedOut: late, breached });
  }

  #waitingIn(group: TrackedGroup): readonly string[] {
    if ((this.#waiting.get(group) ?? 0) === 0) return [];
    return group.clusters.filter(
      (cluster) => (this.#children.get(cluster)?.progress ?? 'ToApply') === 'ToApply',
    );
  }

  /** As sdk-go's progressivePerCluster, without the clusters of other placements, which come last and block nothing. */
  #byCluster(places: number, maxFailures: number, now: number): Step {
    const inFlight = this.#inFlight;
    const starting: string[] = [];
    while (
      this.#cursor !== undefined &&
      inFlight.rolling + starting.length < places &&
      !inFlight.hasFailures
    ) {
      const child = this.#cursor;
      this.#cursor = child.next;
      if (child.progress === 'ToApply') starting.push(child.cluster);
      else if (!child.passed) inFlight.join(child);
      child.passed = true;
      inFlight.advance(now);
    }
    if (inFlight.hasFailures || inFlight.rolling > places) return this.#oneByOne(places, maxFailures, now);
    return this.#stepOf({ starting, foreign: [], timedOut: 0, breached: false });
  }

  #stepOf(step: Pick<Step, 'starting' | 'foreign' | 'timedOut' | 'breached'>): Step {
    const { rolling, soaking, failing, due } = this.#inFlight;
    return {
      ...step,
      joining: this.#inFlight.takeJoined(),
      rolling: rolling + step.starting.length,
      soaking,
      failing,
      ...(due === Infinity ? {} : { due }),
    };
  }

  /**
   * Follows sdk-go's progressivePerCluster exactly: failures before a cluster decide whether it starts, and failures after the
   * last place do not.
   */
  #oneByOne(places: number, maxFailures: number, now: number): Step {
    const starting: string[] = [];
    const joining: string[] = [];
    const counts = { soaking: 0, failing: 0, timedOut: 0 };
    let failures = 0;
    let breached = false;
    let due = Infinity;
    let before = this.#head;
    for (let child = before.next; child !== undefined; child = child.next) {
      const { cluster, progress, until, counted } = child;
      if (progress === 'Succeeded' && until <= now) {
        before.next = child.next;
        continue;
      }
      before = child;
      const late = progress !== 'ToApply' && until <= now;
      if (late) counts.timedOut += 1;
      else if (progress === 'ToApply') {
        if (!breached) starting.push(cluster);
      } else {
        joining.push(cluster);
        due = Math.min(due, until);
        if (counted && progress === 'Succeeded') counts.soaking += 1;
        if (counted && progress === 'Failed') counts.failing += 1;
      }
      if (late || progress === 'Failed') breached = ++failures > maxFailures;
      if (starting.length + joining.length >= places) break;
    }
    const rolling = starting.length + joining.length;
    return {
      starting,
      joining,
      rolling,
      ...counts,
      breached,
      foreign: [],
      ...(due === Infinity ? {} : { due }),
    };
  }
}

/** Most callers have the children in order already. */
function sortedByCluster(children: readonly ClusterProgress[]): readonly ClusterProgress[] {
  const isSorted = children.every(({ cluster }, index) => cluster >= (children[index - 1]?.cluster ?? ''));
  return isSorted ? children : [...children].sort((a, b) => compareText(a.cluster, b.cluster));
}

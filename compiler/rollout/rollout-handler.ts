import { mandatoryGroups, reachableGroups, type TrackedGroup } from './decision-tracker.ts';
import { GroupQueue } from './group-queue.ts';
import { Tally, type ClusterProgress, type Progress, type Step } from './progress.ts';
import { sizeOf, type Size, type Strategy } from './strategy.ts';

/** A cluster whose rollout the placement leads. */
interface Child {
  readonly cluster: string;
  readonly group: TrackedGroup;
  progress: Progress;
  since: number | undefined;
  /** The next by name that is not through. */
  next: Child | undefined;
}

/** Where a child stands at a moment: out of the rollout, in its place, or counted as a failure. */
type Verdict = 'through' | 'rolling' | 'failing';

/**
 * Says which clusters of a placement change, moment by moment. As sdk-go's RolloutHandler, which looks at all clusters
 * each time; this one forgets those that are through, so that a step costs what is under way, what failed and what
 * starts, whatever the size of the fleet.
 */
export class RolloutHandler {
  /** All clusters of the placement, sorted by name, those too whose rollout another placement leads. */
  readonly clusters: readonly string[];
  readonly #strategy: Strategy;
  /** Clusters that may change at the same time, once the mandatory groups are through. */
  readonly #places: number | Error;
  readonly #maxFailures: number | Error;
  readonly #mandatory: GroupQueue;
  readonly #rest: GroupQueue;
  readonly #children = new Map<string, Child>();
  /** Before the first child by name that is not through. */
  readonly #head: Pick<Child, 'next'> = { next: undefined };
  /** Children that have started and are not through. */
  readonly #started = new Set<Child>();
  /** How many clusters of a group have yet to start. Those that are no children never do. */
  readonly #waiting = new Map<TrackedGroup, number>();
  /** Clusters that are no children, sorted by name, as far as they take places. */
  readonly #strangers: readonly string[];

  /** `children` are the clusters that the placement leads: it is the last that selects them. */
  constructor(strategy: Strategy, tracked: readonly TrackedGroup[], children: readonly ClusterProgress[]) {
    const all = reachableGroups(tracked);
    const mandatory = mandatoryGroups(tracked, strategy);
    const excluded = new Set(mandatory);
    const rest = all.filter((group) => !excluded.has(group));
    const remaining = clustersOf(rest);
    this.clusters = clustersOf(all);
    this.#strategy = strategy;
    this.#places = sizeOf(strategy.maxConcurrency, remaining.length, remaining.length);
    this.#maxFailures = sizeOf(strategy.maxFailures, this.clusters.length, 0);
    this.#mandatory = new GroupQueue(mandatory, this.#waiting);
    this.#rest = new GroupQueue(rest, this.#waiting);
    for (const group of [...mandatory, ...rest]) this.#waiting.set(group, group.clusters.length);
    this.#adopt(children, all);
    const candidates = strategy.type === 'All' ? this.clusters : remaining;
    this.#strangers = candidates.filter((cluster) => !this.#children.has(cluster));
  }

  /** As getRemovedClusters: children that are in no group have no part in the rollout. */
  #adopt(children: readonly ClusterProgress[], groups: readonly TrackedGroup[]): void {
    const groupOf = new Map<string, TrackedGroup>();
    for (const group of groups) for (const cluster of group.clusters) groupOf.set(cluster, group);
    let last = this.#head;
    for (const status of [...children].sort((a, b) => (a.cluster < b.cluster ? -1 : 1))) {
      const group = groupOf.get(status.cluster);
      if (group === undefined) continue;
      const child: Child = {
        cluster: status.cluster,
        group,
        progress: 'ToApply',
        since: undefined,
        next: undefined,
      };
      this.#children.set(child.cluster, child);
      last.next = child;
      last = child;
      this.update(status);
    }
  }

  /** The decision group of a child. */
  groupOf(cluster: string): TrackedGroup | undefined {
    return this.#children.get(cluster)?.group;
  }

  /** Tells how far a child is now. One that has started does not wait again. */
  update({ cluster, progress, since }: ClusterProgress): void {
    const child = this.#children.get(cluster);
    if (child === undefined) return;
    if (child.progress === 'ToApply' && progress !== 'ToApply') {
      this.#waiting.set(child.group, (this.#waiting.get(child.group) ?? 0) - 1);
      this.#started.add(child);
    }
    child.progress = progress;
    child.since = since;
  }

  /** What the hub does at a moment, not earlier than the last. An `Error`, in its words, stops the whole add-on. */
  step(now: number): Step | Error {
    const { type, progressDeadline, maxFailures } = this.#strategy;
    if (progressDeadline instanceof Error) return progressDeadline;
    if (type === 'All') return this.#byCluster(this.clusters.length, this.clusters.length, now);
    if (this.#maxFailures instanceof Error) return wrapped('maxFailures', this.#maxFailures);
    if (this.#mandatory.length > 0) {
      const first = this.#byGroup(this.#mandatory, 0, now);
      if (first.rolling.length > 0 || first.timedOut.length > 0) return first;
    }
    if (type === 'ProgressivePerGroup') return this.#byGroup(this.#rest, maxFailures, now);
    if (this.#places instanceof Error) return wrapped('maxConcurrency', this.#places);
    return this.#byCluster(this.#places, this.#maxFailures, now);
  }

  /** As sdk-go's progressivePerCluster: children by name, then the others, up to `places`. */
  #byCluster(places: number, maxFailures: number, now: number): Step {
    const tally = new Tally();
    let failures = 0;
    let breached = false;
    let before = this.#head;
    for (let child = before.next; child !== undefined; child = child.next) {
      const verdict = this.#judge(child, now, tally, breached);
      if (verdict === 'through') {
        before.next = child.next;
        this.#started.delete(child);
        continue;
      }
      before = child;
      if (verdict === 'failing') breached = ++failures > maxFailures;
      if (tally.rolling.length >= places) return tally.step(breached);
    }
    if (breached) return tally.step(true);
    for (const cluster of this.#strangers) {
      tally.start(cluster);
      if (tally.rolling.length >= places) break;
    }
    return tally.step(false);
  }

  /** As sdk-go's progressivePerGroup: all that is under way, then the groups up to the first that has work left. */
  #byGroup(queue: GroupQueue, maxFailures: Size, now: number): Step {
    const tally = new Tally();
    const failing = new Map<TrackedGroup, number>();
    for (const child of this.#started) {
      const verdict = this.#judge(child, now, tally, false);
      if (verdict === 'through') this.#started.delete(child);
      if (verdict === 'failing') failing.set(child.group, (failing.get(child.group) ?? 0) + 1);
    }
    let failures = 0;
    for (const group of queue.candidates(failing.keys())) {
      if ((this.#waiting.get(group) ?? 0) > 0) this.#startAll(group, tally);
      const failed = failing.get(group) ?? 0;
      const limit = sizeOf(maxFailures, group.clusters.length, 0);
      // maxFailures has been read before, so that it is a size.
      const breached = typeof limit === 'number' && failed > limit;
      failures += failed;
      if (tally.rolling.length - failures > 0 || breached) return tally.step(breached);
    }
    return tally.step(false);
  }

  #startAll(group: TrackedGroup, tally: Tally): void {
    for (const cluster of group.clusters) {
      const progress = this.#children.get(cluster)?.progress ?? 'ToApply';
      if (progress === 'ToApply') tally.start(cluster);
    }
  }

  /** As sdk-go's determineRolloutStatus. A cluster without a time begins anew each time the hub looks. */
  #judge({ cluster, progress, since }: Child, now: number, tally: Tally, breached: boolean): Verdict {
    const { type, minSuccessTime, progressDeadline } = this.#strategy;
    const until = (limit: number): number =>
      since === undefined ? (limit > 0 ? Infinity : now) : since + limit;
    if (progress === 'ToApply') {
      if (!breached) tally.start(cluster);
      return 'rolling';
    }
    if (progress === 'Succeeded') {
      // As sdk-go: All ignores its own minSuccessTime.
      const soaked = until(type === 'All' ? 0 : minSuccessTime);
      if (now >= soaked) return 'through';
      tally.keep({ cluster, progress }, soaked);
      return 'rolling';
    }
    const deadline = until(progressDeadline instanceof Error ? Infinity : progressDeadline);
    if (now < deadline) tally.keep({ cluster, progress }, deadline);
    else tally.timedOut.push(cluster);
    return progress === 'Failed' || now >= deadline ? 'failing' : 'rolling';
  }
}

function clustersOf(groups: readonly TrackedGroup[]): readonly string[] {
  return [...new Set(groups.flatMap(({ clusters }) => clusters))].sort();
}

function wrapped(field: string, error: Error): Error {
  return new Error(`failed to parse the provided ${field}: ${error.message}`);
}

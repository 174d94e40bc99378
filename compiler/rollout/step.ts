import type { DecisionGroup } from '../place/decision.ts';
import { deadlineOf, sizeOf, type Strategy } from './strategy.ts';

/** How far a cluster is with the configuration that it should have. */
export type Progress = 'ToApply' | 'Progressing' | 'Succeeded' | 'Failed' | 'TimeOut';

export interface ClusterProgress {
  readonly cluster: string;
  readonly progress: Progress;
  /** Milliseconds since the epoch; since when, where the hub knows. */
  readonly since?: number;
}

/** What a strategy does at one moment. */
export interface Step {
  /** Clusters that change now, are changing, or still soak: they fill the places of the strategy. */
  readonly rolling: readonly ClusterProgress[];
  readonly timedOut: readonly string[];
  /** Whether more clusters failed than the strategy bears. */
  readonly breached: boolean;
  /** Milliseconds until time alone changes the answer: the end of a soak, a deadline. */
  readonly recheckAfter?: number;
}

/**
 * One step of a rollout. `known` is the progress of the clusters that belong to the placement, `groups` its decision
 * groups in order. An `Error`, in the hub's words, stops the whole add-on. As sdk-go's RolloutHandler.
 */
export function rolloutStep(
  strategy: Strategy,
  groups: readonly DecisionGroup[],
  known: readonly ClusterProgress[],
  now: number,
): Step | Error {
  const deadline = deadlineOf(strategy.progressDeadline);
  if (deadline instanceof Error) return deadline;
  const clusters = groups.flatMap((group) => group.clusters);
  const decided = new Set(clusters);
  const existing = known.filter(({ cluster }) => decided.has(cluster)).sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
  // As sdk-go: All ignores its own maxFailures and minSuccessTime.
  const soak = strategy.type === 'All' ? 0 : strategy.minSuccessTime;
  if (soak === undefined) return new Error('minSuccessTime is no duration');
  const judge: Judge = { existing, soak, deadline, now };

  if (strategy.type === 'All') return byCluster(judge, clusters, clusters.length, clusters.length);
  if (strategy.type !== 'Progressive' && strategy.type !== 'ProgressivePerGroup') {
    return new Error(`incorrect rollout strategy type ${strategy.type}`);
  }
  const failures = sizeOf(strategy.maxFailures, clusters.length, 0);
  if (failures instanceof Error) return wrapped('maxFailures', failures);
  const mandatory = mandatoryGroups(strategy, groups);
  if (mandatory.length > 0) {
    const first = byGroup(judge, mandatory, 0);
    if (first instanceof Error || first.rolling.length > 0 || first.timedOut.length > 0) return first;
  }
  const rest = groups.filter((group) => !mandatory.includes(group));
  if (strategy.type === 'ProgressivePerGroup') return byGroup(judge, rest, strategy.maxFailures);
  const remaining = rest.flatMap((group) => group.clusters);
  const concurrency = sizeOf(strategy.maxConcurrency, remaining.length, remaining.length);
  if (concurrency instanceof Error) return wrapped('maxConcurrency', concurrency);
  return byCluster(judge, remaining, concurrency, failures);
}

function wrapped(field: string, error: Error): Error {
  return new Error(`failed to parse the provided ${field}: ${error.message}`);
}

/** As sdk-go: a name means every group of that name, otherwise the index counts, 0 where it is not written. */
function mandatoryGroups({ mandatoryGroups }: Strategy, groups: readonly DecisionGroup[]): readonly DecisionGroup[] {
  return groups.filter((group, index) =>
    mandatoryGroups.some(({ groupName = '', groupIndex = 0 }) => (groupName === '' ? groupIndex === index : groupName === group.name)),
  );
}

interface Judge {
  readonly existing: readonly ClusterProgress[];
  readonly soak: number;
  readonly deadline: number;
  readonly now: number;
}

/** Collects a step while clusters are looked at one by one. */
class Tally {
  readonly rolling: ClusterProgress[] = [];
  readonly timedOut: string[] = [];
  #recheckAfter = Infinity;
  readonly #judge: Judge;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** Where the cluster stands now that time has passed. As sdk-go's determineRolloutStatus. */
  look(status: ClusterProgress): Progress {
    const { soak, deadline, now } = this.#judge;
    const since = status.since ?? now;
    switch (status.progress) {
      case 'ToApply':
        this.rolling.push(status);
        return 'ToApply';
      case 'Succeeded':
        if (now < since + soak) this.#keep(status, since + soak);
        return 'Succeeded';
      case 'TimeOut':
        return 'TimeOut';
      case 'Progressing':
      case 'Failed':
        if (now < since + deadline) {
          this.#keep(status, since + deadline);
          return status.progress;
        }
        this.timedOut.push(status.cluster);
        return 'TimeOut';
    }
  }

  #keep(status: ClusterProgress, until: number): void {
    this.rolling.push(status);
    this.#recheckAfter = Math.min(this.#recheckAfter, until - this.#judge.now);
  }

  step(breached: boolean): Step {
    const { rolling, timedOut } = this;
    return {
      rolling,
      timedOut,
      breached,
      ...(Number.isFinite(this.#recheckAfter) ? { recheckAfter: this.#recheckAfter } : {}),
    };
  }
}

/** As sdk-go's progressivePerCluster: those under way first, then the others by name, up to `places`. */
function byCluster(judge: Judge, clusters: readonly string[], places: number, maxFailures: number): Step {
  const tally = new Tally(judge);
  const seen = new Set<string>();
  let failures = 0;
  let breached = false;
  for (const status of judge.existing) {
    seen.add(status.cluster);
    const progress = breached && status.progress === 'ToApply' ? 'ToApply' : tally.look(status);
    if (isFailure(progress)) breached = ++failures > maxFailures;
    if (tally.rolling.length >= places) return tally.step(breached);
  }
  if (breached) return tally.step(true);
  for (const cluster of [...clusters].sort()) {
    if (seen.has(cluster)) continue;
    tally.rolling.push({ cluster, progress: 'ToApply' });
    if (tally.rolling.length >= places) break;
  }
  return tally.step(false);
}

/** As sdk-go's progressivePerGroup: the first group that has something to do, and those that failures let pass. */
function byGroup(judge: Judge, groups: readonly DecisionGroup[], maxFailures: number | string): Step | Error {
  const tally = new Tally(judge);
  const known = new Map<string, Progress>();
  for (const status of judge.existing) {
    if (status.progress !== 'ToApply') known.set(status.cluster, tally.look(status));
  }
  let failures = 0;
  for (const group of groups) {
    const limit = sizeOf(maxFailures, group.clusters.length, 0);
    if (limit instanceof Error) return wrapped('maxFailures', limit);
    let inGroup = 0;
    let breached = false;
    for (const cluster of group.clusters) {
      const progress = known.get(cluster);
      if (progress === undefined) tally.rolling.push({ cluster, progress: 'ToApply' });
      else if (isFailure(progress)) breached = ++inGroup > limit;
    }
    failures += inGroup;
    if (tally.rolling.length - failures > 0 || breached) return tally.step(breached);
  }
  return tally.step(false);
}

function isFailure(progress: Progress): boolean {
  return progress === 'TimeOut' || progress === 'Failed';
}

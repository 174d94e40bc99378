import { parseGoDuration } from '../../base/time/duration.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { endOf, phaseAt, type ClusterPhase, type TimeLimits } from '../../compiler/rollout/cluster-phase.ts';
import type { GateReport } from './gate-report.ts';
import { some } from '../../compiler/rollout/stop.ts';
import type { ClusterHealth } from './cluster-health.ts';
import {
  clustersOf,
  type Promotion,
  type PromotionStatus,
  type Release,
  type ReleasedCluster,
  type ReleaseGate,
} from './promotion.ts';
import { timeWords } from './time-window.ts';
import { gatesOfStep, type StepGates, type StepGatesInput } from './step-gates.ts';
import { ended, started } from './transitions.ts';

/** What a promotion did, or why it did nothing. */
export type Outcome = 'advanced' | 'waiting' | 'stopped' | 'finished';

/** The result of one step. */
export interface Decision {
  readonly outcome: Outcome;
  /** The next state. Absent if it does not change. */
  readonly status?: PromotionStatus;
  /** One sentence without a period: what happened, or what the promotion waits for. */
  readonly reason: string;
  /** One line per gate of the release. */
  readonly gates: readonly GateReport[];
}

/** Everything that a step depends on. */
export interface DecisionInput extends Pick<StepGatesInput, 'outside' | 'approvals' | 'requiredState'> {
  readonly promotion: Promotion;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Returns how far a released cluster is; undefined if the cluster has left since. */
  readonly healthOf: (cluster: ReleasedCluster) => ClusterHealth | undefined;
  /** Returns when Git got a wave of the release, in milliseconds; undefined if it is not committed yet. */
  readonly startOf: (wave: number) => number | undefined;
  /**
   * The release of the content that Git has now. Absent if the state already leads there. Without waves, all clusters have the
   * content of Git, and the release in progress leads elsewhere.
   */
  readonly next?: Release | undefined;
  /** Whether some clusters keep content because the new one was rolled back. */
  readonly isRolledBack?: boolean;
  /** Git's commit. If all clusters have its content before the first release, clusters that join get it too. */
  readonly head?: string;
}

/**
 * Decides the next step of a promotion: at most one, and none if the state is already what it would be. It is a pure function of
 * the state, the clusters and the time, so a step that was killed and repeated has the same result.
 */
export function decide(input: DecisionInput): Decision {
  const { promotion, next } = input;
  const { release } = promotion.status;
  if (release === undefined) return begin(input);
  const isCommitted = release.released === 0 || input.startOf(release.released) !== undefined;
  const {
    gates: ofWaves,
    verdict,
    failed,
  } = isCommitted
    ? progressOfRelease(release, input)
    : { gates: [], verdict: undefined, failed: new Map<string, readonly string[]>() };
  const closed: StepGates = isCommitted ? gatesOfStep({ ...input, failed }, release) : { gates: [] };
  const gates = [...ofWaves, ...closed.gates];
  if (promotion.spec.paused === true)
    return { outcome: 'waiting', reason: `${waveWords(release)}: paused`, gates };
  // A release that no cluster has yet always gives way.
  const givesWay = promotion.spec.whenBusy === 'supersede' || release.released === 0;
  if (givesWay && next !== undefined && release.restores === undefined) return { ...begin(input), gates };
  // The files of the clusters are as old as the state in Git.
  if (!isCommitted)
    return { outcome: 'waiting', reason: `${waveWords(release)}: it is not committed yet`, gates: [] };
  if (verdict !== undefined) return { ...verdict, gates };
  if (closed.verdict !== undefined)
    return {
      ...closed.verdict,
      reason: `${waveWords(release)}: ${closed.verdict.reason}`,
      gates,
    };
  if (release.released === release.waves.length)
    return {
      outcome: 'finished',
      status: ended(promotion.status, release.restores === undefined ? 'completed' : 'restored'),
      reason: `${waveWords(release)}: all clusters are done, ${release.restores === undefined ? 'the release is completed' : 'the earlier content is restored'}`,
      gates,
    };
  const advanced = withOpenedBy({ ...release, released: release.released + 1 }, gates);
  return {
    outcome: 'advanced',
    status: { ...promotion.status, release: advanced },
    reason: `${waveWords(advanced)} of ${release.hash.slice(0, 12)} starts`,
    gates,
  };
}

/** Returns a release with the condition of each gate at its last step, for those who review the step. */
function withOpenedBy({ openedBy: _, ...release }: Release, gates: readonly GateReport[]): Release {
  if (gates.length === 0) return release;
  return { ...release, openedBy: gates.map(({ text }) => text) };
}

/** Starts the release of what Git has now, with its first wave if that may start. */
function begin(input: DecisionInput): Decision {
  const { promotion, next, isRolledBack, head } = input;
  const { spec, status } = promotion;
  if (next === undefined) {
    if (isRolledBack === true)
      return {
        outcome: 'stopped',
        reason: 'the content of Git was rolled back: change it, or release it again with --retry',
        gates: [],
      };
    const isFirst = status.completed === undefined && head !== undefined;
    return {
      outcome: 'finished',
      ...(isFirst && { status: { completed: { source: head }, ...status } }),
      reason: 'all clusters have the content of Git',
      gates: [],
    };
  }
  if (spec.paused === true) return { outcome: 'waiting', reason: 'a release waits: paused', gates: [] };
  if (next.waves.length === 0)
    return {
      outcome: 'advanced',
      status: ended(status, 'superseded'),
      reason: 'the release ends: all clusters have the content of Git',
      gates: [],
    };
  const closed = gatesOfStep(input, next);
  const first = closed.verdict === undefined ? 1 : 0;
  const release = withOpenedBy({ ...next, released: first }, first === 1 ? closed.gates : []);
  const reason = closed.verdict?.reason ?? `${waveWords(release)} of ${next.hash.slice(0, 12)} starts`;
  return {
    outcome: 'advanced',
    status: started(status, release),
    reason: first === 1 ? reason : `release ${next.hash.slice(0, 12)} begins: ${reason}`,
    gates: closed.gates,
  };
}

/** Returns `wave 2 of 4`. */
export function waveWords({ released, waves, restores }: Release): string {
  const direction = restores === undefined ? '' : 'rollback ';
  return released === 0
    ? `before ${direction}wave 1 of ${waves.length}`
    : `${direction}wave ${released} of ${waves.length}`;
}

/** The clusters of a gate in the released waves. */
interface GateClusters {
  readonly failed: string[];
  readonly limits: TimeLimits;
}

/** How far the released waves are. */
interface ReleaseProgress {
  readonly gates: readonly GateReport[];
  readonly verdict: Omit<Decision, 'gates'> | undefined;
  /** The clusters that have failed, by gate. */
  readonly failed: ReadonlyMap<string, readonly string[]>;
}

function progressOfRelease(
  release: Release,
  { healthOf, startOf, now, promotion }: DecisionInput,
): ReleaseProgress {
  if (release.released === 0) return { gates: [], verdict: undefined, failed: new Map() };
  const byGate = new Map<string, GateClusters>();
  const waiting: { readonly cluster: string; readonly why: string }[] = [];
  let healthy = 0;
  let total = 0;
  let healthySince = -Infinity;
  const gatesOfWave = new Set<string>();
  for (const released of clustersOf(release)) {
    if (released.wave > release.released) break;
    const health = healthOf(released);
    if (health === undefined) continue;
    const isCurrent = released.wave === release.released;
    const gate = getOrInsertComputed(byGate, released.gate, () => ({
      failed: [],
      limits: limitsOf(release.gates[released.gate] ?? {}),
    }));
    const start = startOf(released.wave);
    // The time of an earlier success is not the time of this content.
    const since = start === undefined ? undefined : Math.max(start, health.since ?? start);
    const phase = phaseOf(gate.limits, { ...health, since }, now);
    if (health.progress === 'Failed' || phase === 'late') gate.failed.push(released.cluster);
    // The hub has not started a cluster that is still to apply the content, so it cannot be late.
    if (phase === 'under way' || health.progress === 'ToApply')
      waiting.push({ cluster: released.cluster, why: health.why ?? 'is in progress' });
    if (!isCurrent) continue;
    gatesOfWave.add(released.gate);
    total += 1;
    if (health.progress !== 'Succeeded') continue;
    healthy += 1;
    healthySince = Math.max(healthySince, since ?? Infinity);
  }
  const soakEnd = Math.max(
    -Infinity,
    ...Array.from(gatesOfWave, (name) => soakOf(byGate.get(name)?.limits, healthySince)),
  );
  const gates: GateReport[] = [];
  const exceeded: string[] = [];
  for (const [name, { failed }] of byGate) {
    const limit = release.gates[name]?.maxFailures;
    if (limit === undefined) continue;
    const isOpen = failed.length <= limit;
    const of = byGate.size === 1 ? '' : ` for ${name}`;
    const text = `budget ${failed.length} of ${limit} ${limit === 1 ? 'failure' : 'failures'} used${of}`;
    gates.push({ name: `maxFailures ${name}`, isOpen, text });
    if (!isOpen) exceeded.push(`${some(failed.sort())} failed, more than the strategy of ${name} allows`);
  }
  const isHealthy = waiting.length === 0;
  gates.unshift({
    name: 'health',
    isOpen: isHealthy,
    text: `${healthy} of ${total} healthy`,
  });
  const isSoaked = soakEnd <= now;
  if (soakEnd > -Infinity && isHealthy)
    gates.push({
      name: 'minSuccessTime',
      isOpen: isSoaked,
      text: `soak ${isSoaked ? 'ended' : 'ends'} ${timeWords(soakEnd, now, promotion.spec.window)}`,
    });
  const failed = new Map(Array.from(byGate, ([name, each]) => [name, each.failed]));
  const state = `${waveWords(release)}: ${gates.map(({ text }) => text).join(', ')}`;
  if (exceeded.length > 0)
    return { gates, failed, verdict: { outcome: 'stopped', reason: `${state}; ${exceeded.join('; ')}` } };
  const [first] = waiting;
  if (first !== undefined) {
    const others = waiting.length === 1 ? '' : ` (and ${waiting.length - 1} more)`;
    const reason = `${state}; ${first.cluster} ${first.why}${others}`;
    return { gates, failed, verdict: { outcome: 'waiting', reason } };
  }
  if (!isSoaked) return { gates, failed, verdict: { outcome: 'waiting', reason: state } };
  return { gates, failed, verdict: undefined };
}

function limitsOf({ minSuccessTime = '0s', progressDeadline }: ReleaseGate): TimeLimits {
  return {
    type: 'Progressive',
    minSuccessTime: millisecondsOf(minSuccessTime),
    progressDeadline: progressDeadline === undefined ? Infinity : millisecondsOf(progressDeadline),
  };
}

/** The file is valid: `readPromotion` checks durations. */
function millisecondsOf(duration: string): number {
  const parsed = parseGoDuration(duration);
  return parsed instanceof Error ? Infinity : parsed;
}

function phaseOf(
  limits: TimeLimits,
  { progress, since }: Pick<ClusterHealth, 'progress'> & { readonly since: number | undefined },
  now: number,
): ClusterPhase | undefined {
  return phaseAt(progress, endOf(limits, progress, since), now);
}

/** The soak begins when the last cluster of the wave is healthy. */
function soakOf(limits: TimeLimits | undefined, since: number): number {
  if (limits === undefined || limits.minSuccessTime === 0 || since === -Infinity) return -Infinity;
  return endOf(limits, 'Succeeded', since);
}

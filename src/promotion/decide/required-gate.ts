import { parseGoDuration } from '../../base/time/duration.ts';
import { some } from '../../compiler/rollout/stop.ts';
import type { GateReport } from './gate-report.ts';
import { absent, type Release, type WavePart } from './promotion.ts';

/** How an add-on that others require is on a cluster. */
export interface RequiredAddOnState {
  /** Whether the hub has the add-on, or works of it, on the cluster. */
  readonly isPresent: boolean;
  readonly isAvailable: boolean;
  /** Since when it is not Available, in milliseconds since the epoch; absent if the hub does not know it. */
  readonly since?: number;
  /** Why it is not Available: `is not available`. */
  readonly why?: string;
}

/** What the gate of required add-ons depends on. */
export interface RequiredGateInput {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Returns how an add-on is on a cluster; undefined if the cluster has left. */
  readonly requiredState: (addOn: string, cluster: string) => RequiredAddOnState | undefined;
  /** The clusters that have failed so far, by gate. They count for the same `maxFailures`. */
  readonly failed: ReadonlyMap<string, readonly string[]>;
}

/** The gate of the add-ons that the next wave requires. */
export interface RequiredGateReport extends GateReport {
  /** Whether more clusters are without a required add-on than the rollout strategy tolerates. */
  readonly hasFailed: boolean;
}

/**
 * Returns the gate of the next wave's clusters: the add-ons that a part requires are Available there, or, for a part that removes an add-on,
 * the ones that require it are gone. A cluster on which a required add-on has not been Available for `progressDeadline` has failed, and
 * counts for `maxFailures`. Undefined if the wave requires nothing.
 */
export function requiredGate(release: Release, input: RequiredGateInput): RequiredGateReport | undefined {
  const parts = release.waves[release.released] ?? [];
  if (!parts.some(({ requires = [], requiredBy = [] }) => requires.length + requiredBy.length > 0))
    return undefined;
  const waiting: string[] = [];
  const exceeded: string[] = [];
  let [total, open] = [0, 0];
  for (const part of parts) {
    const answers = answersOf(part, release, input);
    total += answers.length;
    open += answers.filter(({ why }) => why === undefined).length;
    const late = answers.filter(({ isLate }) => isLate);
    const failed = [
      ...new Set([...(input.failed.get(part.gate) ?? []), ...late.map((each) => each.cluster)]),
    ];
    const { maxFailures = Infinity } = release.gates[part.gate] ?? {};
    if (late.length > 0 && failed.length > maxFailures)
      exceeded.push(
        `${some(failed.sort())} failed or lack a required add-on, more than the strategy of ${part.gate} allows`,
      );
    waiting.push(
      ...answers.flatMap(({ cluster, why, isLate }) => (why && !isLate ? `${why} ${cluster}` : [])),
    );
  }
  const words = `requirements met on ${open} of ${total} ${total === 1 ? 'cluster' : 'clusters'}`;
  const [first] = waiting;
  const others = waiting.length > 1 ? ` (and ${waiting.length - 1} more)` : '';
  const reasons = [...exceeded, ...(first === undefined ? [] : [`${first}${others}`])];
  return {
    name: 'requirements',
    isOpen: reasons.length === 0,
    text: [words, ...reasons].join('; '),
    hasFailed: exceeded.length > 0,
  };
}

interface ClusterAnswer {
  readonly cluster: string;
  /** Why the cluster holds the wave: `cert-manager is not available on`. Absent if it does not. */
  readonly why?: string;
  /** Whether it has held the wave longer than the deadline. */
  readonly isLate: boolean;
}

function answersOf(
  { gate, clusters, requires = [], requiredBy = [] }: WavePart,
  { gates }: Release,
  { requiredState, now }: RequiredGateInput,
): readonly ClusterAnswer[] {
  if (requires.length + requiredBy.length === 0) return [];
  const deadline = parseGoDuration(gates[gate]?.progressDeadline ?? '');
  return Object.entries(clusters).flatMap(([cluster, hash]): ClusterAnswer[] => {
    const names = hash === absent ? requiredBy : requires;
    const states = names.map((name) => ({ name, state: requiredState(name, cluster) }));
    if (states.some(({ state }) => state === undefined)) return [];
    const closed = states.find(({ state }) =>
      hash === absent ? state?.isPresent === true : state?.isAvailable !== true,
    );
    if (closed?.state === undefined) return [{ cluster, isLate: false }];
    const { name, state } = closed;
    if (hash === absent) return [{ cluster, why: `${name} is still on`, isLate: false }];
    const isLate = typeof deadline === 'number' && state.since !== undefined && state.since + deadline <= now;
    return [{ cluster, why: `${name} ${state.why ?? 'is not available'} on`, isLate }];
  });
}

import type { ConfigReference, ResolvedAddOn } from '../configure/configuration.ts';
import type { Inventory } from '../inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { rolloutGraph, type RolloutGraph, type StrategyNode } from './node.ts';
import { rolloutStep, type ClusterProgress } from './step.ts';

/** The clusters that change at the same time. */
export interface Wave {
  /** Sorted by name. */
  readonly clusters: readonly string[];
  /** Milliseconds after the start: not before, where soaks and deadlines have to pass. */
  readonly after: number;
}

/** Why a placement's rollout goes no further. */
export interface Stop {
  readonly placement: string;
  readonly reason: string;
  /** Clusters that keep what they had. */
  readonly left: readonly string[];
}

/** A rollout of one add-on from one state to the next. */
export interface Rollout {
  readonly waves: readonly Wave[];
  readonly stops: readonly Stop[];
  /** What every cluster runs when nothing more happens. */
  readonly reached: AddOnState;
}

/** What the clusters of an add-on run. */
export type AddOnState = ReadonlyMap<string, RunningConfiguration>;

export interface RunningConfiguration {
  /** `status.configReferences`: what the cluster was last told to use. */
  readonly references: readonly ConfigReference[];
  readonly progress: Exclude<ClusterProgress['progress'], 'ToApply' | 'TimeOut'>;
  /** Milliseconds on the rollout's own clock; absent where the hub does not know. */
  readonly since?: number;
}

export interface RolloutOptions {
  /** Clusters whose agents never report success. */
  readonly failing?: ReadonlySet<string>;
}

/**
 * The waves in which an add-on goes from one state to the configuration it should have, where agents report success as
 * soon as they got their work and the hub is always quick. As OCM's addonconfiguration controller run to a standstill.
 */
export function rollOut(
  addOn: ResolvedAddOn,
  inventory: Inventory,
  decisions: Decisions,
  from: AddOnState,
  { failing = new Set() }: RolloutOptions = {},
): Rollout {
  const graph = rolloutGraph(addOn, inventory, decisions);
  const state = new Map<string, RunningConfiguration>();
  for (const cluster of addOn.clusters.keys()) {
    const running = from.get(cluster);
    if (running !== undefined) state.set(cluster, running);
  }
  const waves: Wave[] = [];
  let now = 0;
  if (addOn.managed && addOn.stalled === undefined) {
    for (;;) {
      const { changing, error, recheckAfter } = roundOf(graph, state, now);
      if (error !== undefined) return { waves, stops: stopsOf(graph, state, now), reached: state };
      if (changing.length > 0) {
        waves.push({ clusters: changing.sort(), after: now });
        for (const cluster of changing) {
          const references = addOn.clusters.get(cluster)?.effective.references ?? [];
          state.set(cluster, { references, progress: failing.has(cluster) ? 'Progressing' : 'Succeeded', since: now });
        }
      } else if (recheckAfter === undefined) break;
      else now += recheckAfter;
    }
  }
  return { waves, stops: stopsOf(graph, state, now), reached: state };
}

/** What the hub changes at one moment, over all placements; an error of one stops all. */
function roundOf(
  { nodes, unplaced }: RolloutGraph,
  state: AddOnState,
  now: number,
): { changing: string[]; error?: Error; recheckAfter?: number } {
  const changing = unplaced
    .filter(({ cluster, effective }) => !runs(state.get(cluster), effective.references))
    .map(({ cluster }) => cluster);
  let recheckAfter = Infinity;
  for (const node of nodes) {
    const progress = progressOf(node, state);
    const step = rolloutStep(node.strategy, node.groups, [...progress.values()], now);
    if (step instanceof Error) return { changing: [], error: step };
    for (const { cluster } of step.rolling) {
      if (progress.get(cluster)?.progress === 'ToApply') changing.push(cluster);
    }
    recheckAfter = Math.min(recheckAfter, step.recheckAfter ?? Infinity);
  }
  return Number.isFinite(recheckAfter) ? { changing, recheckAfter } : { changing };
}

/** As OCM's setRolloutStatus: a cluster that was told something else has yet to change. */
function progressOf({ children }: StrategyNode, state: AddOnState): ReadonlyMap<string, ClusterProgress> {
  return new Map(
    children.map(({ cluster, effective }): [string, ClusterProgress] => {
      const running = state.get(cluster);
      if (running === undefined || !runs(running, effective.references)) {
        // An add-on without any configuration has nothing to wait for.
        const idle = effective.references.length === 0 && running === undefined;
        return [cluster, { cluster, progress: idle ? 'Succeeded' : 'ToApply' }];
      }
      const { progress, since } = running;
      return [cluster, { cluster, progress, ...(since === undefined ? {} : { since }) }];
    }),
  );
}

function runs(running: RunningConfiguration | undefined, wanted: readonly ConfigReference[]): boolean {
  const has = running?.references ?? [];
  return has === wanted || (has.length === wanted.length && has.every((reference, index) => isSame(reference, wanted[index])));
}

function isSame(a: ConfigReference, b: ConfigReference | undefined): boolean {
  return (
    b !== undefined &&
    a.group === b.group &&
    a.resource === b.resource &&
    a.name === b.name &&
    a.namespace === b.namespace &&
    a.specHash === b.specHash
  );
}

function stopsOf({ nodes }: RolloutGraph, state: AddOnState, now: number): readonly Stop[] {
  return nodes.flatMap((node): Stop[] => {
    const progress = progressOf(node, state);
    const left = [...progress.values()].filter((status) => status.progress === 'ToApply').map(({ cluster }) => cluster);
    if (left.length === 0) return [];
    const step = rolloutStep(node.strategy, node.groups, [...progress.values()], now);
    return [{ placement: node.placement, reason: stopReason(step, progress), left: left.sort() }];
  });
}

function stopReason(step: ReturnType<typeof rolloutStep>, progress: ReadonlyMap<string, ClusterProgress>): string {
  if (step instanceof Error) return step.message;
  if (step.breached) return `more clusters failed than maxFailures allows: ${step.timedOut.join(', ')}`;
  const waiting = step.rolling.filter(({ cluster }) => progress.get(cluster)?.progress !== 'Succeeded').map(({ cluster }) => cluster);
  if (waiting.length > 0) return `waits for ${waiting.sort().join(', ')}`;
  if (step.timedOut.length > 0) return `a rollout with mandatory groups does not go on past ${step.timedOut.join(', ')}`;
  return 'waits';
}

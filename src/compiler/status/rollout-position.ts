import { formatTime } from '../../base/time/rfc3339.ts';
import type { ClusterAddOn } from '../configure/resolved-add-on.ts';
import type { RolloutGraph, UnreadableDecisions } from '../rollout/graph.ts';
import type { Rollout } from '../rollout/simulation/simulate-rollout.ts';
import type { Stop } from '../rollout/stop.ts';
import type { PendingWave } from './fleet-status.ts';

/** Where the clusters of an add-on are in the rest of its rollout. */
export class RolloutPosition {
  readonly #rollout: Rollout | undefined;
  readonly #deadlines: ReadonlyMap<string, number | Error>;
  readonly #now: number;
  readonly #waves = new Map<string, number>();
  readonly #stops = new Map<string, Stop>();
  readonly #changing: readonly string[];
  readonly #pending = new Map<number, PendingWave>();

  /**
   * @param rollout - the rest of the rollout, from the state of the hub
   * @param changing - the clusters that have the configuration and are not ready, sorted by name
   */
  constructor(
    rollout: Rollout | undefined,
    graph: RolloutGraph | UnreadableDecisions,
    changing: readonly string[],
    now: number,
  ) {
    this.#rollout = rollout;
    const nodes = 'nodes' in graph ? graph.nodes : [];
    this.#deadlines = new Map(nodes.map(({ placement, strategy }) => [placement, strategy.progressDeadline]));
    this.#now = now;
    this.#changing = changing;
    for (const [index, { clusters }] of (rollout?.waves ?? []).entries())
      for (const cluster of clusters) if (!this.#waves.has(cluster)) this.#waves.set(cluster, index);
    for (const stop of rollout?.stops ?? []) for (const cluster of stop.left) this.#stops.set(cluster, stop);
  }

  /** Returns the reason why the rollout never reaches a cluster. */
  stopOf(cluster: string): Stop | undefined {
    return this.#stops.get(cluster);
  }

  /**
   * Returns the wave of a cluster that has to wait: other clusters are changing, or their soak is not over.
   *
   * @param isHeld - whether the hub reports that the cluster waits. Its wave can then begin as soon as others are ready
   */
  waveOf(cluster: string, isHeld: boolean): PendingWave | undefined {
    const index = this.#waves.get(cluster);
    const wave = index === undefined ? undefined : this.#rollout?.waves[index];
    if (index === undefined || wave === undefined || (index === 0 && wave.after === 0 && !isHeld))
      return undefined;
    const existing = this.#pending.get(index);
    if (existing !== undefined) return existing;
    const pending = {
      number: index + 1,
      of: this.#rollout?.waves.length ?? 0,
      due: formatTime(this.#now + wave.earliest),
      waitsFor: this.#changing,
    };
    this.#pending.set(index, pending);
    return pending;
  }

  /** Returns the time that a cluster may take, in milliseconds; undefined if its strategy sets no limit. */
  deadlineOf(clusterAddOn: ClusterAddOn | undefined): number | undefined {
    const deadline = this.#deadlines.get(clusterAddOn?.placements.at(-1) ?? '');
    return typeof deadline === 'number' && deadline !== Infinity ? deadline : undefined;
  }
}

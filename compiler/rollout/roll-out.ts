import type { ClusterAddOn, ResolvedAddOn } from '../configure/configuration.ts';
import type { HubVersion } from '../hub-version.ts';
import { fateOf, type Fate } from './agent.ts';
import { freshState, underWay, type ClusterState } from './cluster-state.ts';
import type { RolloutGraph } from './graph.ts';
import { Lane } from './lane.ts';
import type { Progress, Step } from './progress.ts';
import type { Progression } from './progression.ts';
import { SharedStates } from './shared-states.ts';
import { stopOf, type Stop } from './stop.ts';
import type { Wave } from './wave.ts';
import { WaveBuilder } from './wave-builder.ts';

/** What the clusters of an add-on run, by name. */
export type AddOnState = ReadonlyMap<string, ClusterState>;

/** The way of one add-on from one state to the configuration that it should have. */
export interface Rollout {
  readonly waves: readonly Wave[];
  /** Whether the hub gets to write any status; an error before that leaves all of them as they were. */
  readonly configures: boolean;
  /** Where it ends before all clusters had their turn. */
  readonly stops: readonly Stop[];
  /** Clusters that got the configuration and never get ready, sorted by name. */
  readonly unready: readonly string[];
  /** Clusters from which the add-on is removed, at once; sorted by name. */
  readonly uninstalled: readonly string[];
  /** What the hub reports of each placement in the end. */
  readonly progressions: readonly Progression[];
  /** Milliseconds after the start at which nothing changes any more: all soaks and deadlines are over. */
  readonly settledAfter: number;
  /** What every cluster runs then. */
  readonly reached: AddOnState;
  /** With compiled delivery: the turn in which each cluster changes, from 1, whether it has to change now or not. */
  readonly turns?: ReadonlyMap<string, number>;
}

export interface RollOutOptions {
  /** When the rollout starts, in milliseconds since the epoch. */
  readonly now: number;
  readonly hub: HubVersion;
  /** Clusters whose agents report that the works fail. */
  readonly failing?: ReadonlySet<string>;
  /** Clusters whose agents report nothing. */
  readonly silent?: ReadonlySet<string>;
}

/**
 * Follows the hub until nothing changes any more. Agents report success as soon as they have their works, except where
 * the options say otherwise, where a configuration has no hash, and where a cluster is late already. As OCM's
 * addonconfiguration controller, with each of its rounds followed by one of the agents.
 */
export function rollOut(
  addOn: ResolvedAddOn,
  graph: RolloutGraph,
  from: AddOnState,
  options: RollOutOptions,
): Rollout {
  const uninstalled = [...from.keys()].filter((cluster) => !addOn.clusters.has(cluster)).sort();
  return { ...new Run(addOn, graph, from, options).toTheEnd(), uninstalled };
}

/** One rollout while it goes on. */
class Run {
  readonly #addOn: ResolvedAddOn;
  readonly #options: RollOutOptions;
  readonly #unplaced: readonly ClusterAddOn[];
  readonly #states = new SharedStates();
  readonly #lanes: readonly Lane[];
  readonly #laneOf = new Map<string, Lane>();
  /** What each lane does at the moment; those are missing that have to be asked again. */
  readonly #steps = new Map<Lane, Step | Error>();
  /** What the hub reported last of each lane. */
  readonly #progressions = new Map<Lane, Progression>();
  /** Clusters of which a configuration of their own was edited, and which the hub does not make wait. */
  readonly #bypassing: readonly ClusterAddOn[];
  #now: number;
  #configures = false;

  constructor(
    addOn: ResolvedAddOn,
    { nodes, unplaced }: RolloutGraph,
    from: AddOnState,
    options: RollOutOptions,
  ) {
    this.#addOn = addOn;
    this.#options = options;
    this.#unplaced = unplaced;
    this.#now = options.now;
    for (const cluster of addOn.clusters.keys())
      this.#states.byCluster.set(cluster, from.get(cluster) ?? freshState);
    this.#bypassing = [...addOn.clusters.values()].filter((child) => this.#refreshOwnHashes(child));
    this.#lanes = nodes.map((node) => new Lane(node, addOn.clusters, this.#states, options.hub));
    for (const lane of this.#lanes)
      for (const cluster of lane.node.children.keys()) this.#laneOf.set(cluster, lane);
  }

  toTheEnd(): Omit<Rollout, 'uninstalled'> {
    const waves: Wave[] = [];
    for (let round = 0; ; round += 1) {
      const asked = this.#lanes.filter((lane) => !this.#steps.has(lane));
      for (const lane of asked) this.#steps.set(lane, lane.step(this.#now));
      // As OCM's sync: an error of one placement comes before anything is written for any.
      const error = asked.map((lane) => this.#stepOf(lane)).find((step) => step instanceof Error);
      if (error !== undefined) return this.#end(waves, [this.#standstill(error)]);
      this.#configures = true;
      const progressions = asked.flatMap((lane) => this.#reported(lane));
      const builder = new WaveBuilder();
      const active = [
        ...(round === 0 ? this.#startAtOnce(builder) : []),
        ...asked.flatMap((lane) => this.#start(lane, builder)),
      ];
      for (const child of active) this.#report(child);
      const wave = builder.wave(this.#now - this.#options.now, progressions);
      if (wave !== undefined) waves.push(wave);
      if (active.length === 0 && !this.#wait()) break;
    }
    const stops = this.#lanes.flatMap((lane) => {
      const step = this.#stepOf(lane);
      return step instanceof Error ? [] : (stopOf(lane, step, this.#now, this.#addOn) ?? []);
    });
    return this.#end(waves, stops);
  }

  #end(waves: readonly Wave[], stops: readonly Stop[]): Omit<Rollout, 'uninstalled'> {
    return {
      waves,
      configures: this.#configures,
      stops,
      unready: [...this.#clustersThatAre('Progressing'), ...this.#clustersThatAre('Failed')].sort(),
      progressions: this.#lanes.flatMap((lane) => this.#progressions.get(lane) ?? []),
      settledAfter: this.#now - this.#options.now,
      reached: this.#states.byCluster,
    };
  }

  #standstill({ message }: Error): Stop {
    return { reason: 'error', message, culprits: [], left: this.#clustersThatAre('ToApply') };
  }

  #clustersThatAre(progress: Progress): string[] {
    const children = [...this.#addOn.clusters.values()].filter(
      (child) => this.#states.compare(child).progress === progress,
    );
    return children.map(({ cluster }) => cluster).sort();
  }

  /** Who changes or is under way without regard to any strategy when the rollout starts. */
  #startAtOnce(builder: WaveBuilder): ClusterAddOn[] {
    for (const child of this.#bypassing)
      builder.add(child.cluster, 'own configuration', this.#laneOf.get(child.cluster));
    for (const child of this.#unplaced) if (this.#release(child)) builder.add(child.cluster, 'no placement');
    return [...this.#addOn.clusters.values()].filter((child) => {
      const { progress } = this.#states.compare(child);
      const late = this.#laneOf.get(child.cluster)?.standingOf(child.cluster, this.#now) === 'late';
      return (progress === 'Progressing' || progress === 'Failed') && !late;
    });
  }

  /** Releases what a lane lets change now. */
  #start(lane: Lane, builder: WaveBuilder): ClusterAddOn[] {
    const step = this.#stepOf(lane);
    if (step instanceof Error) return [];
    // Those under way are told again, which matters to whom something else was told before.
    return [...step.starting, ...step.joining].flatMap((cluster) => {
      const child = lane.node.children.get(cluster);
      if (child === undefined || !this.#release(child)) return [];
      builder.add(cluster, 'strategy', lane);
      return [child];
    });
  }

  /** Tells the cluster what to use; false where it knows. */
  #release(child: ClusterAddOn): boolean {
    const { released } = this.#states.compare(child);
    if (released === this.#stateOf(child)) return false;
    this.#states.byCluster.set(child.cluster, released);
    return true;
  }

  /** Lets the agent of a cluster say how it goes. */
  #report(child: ClusterAddOn): void {
    const state = this.#stateOf(child);
    const fate = this.#fateOf(child);
    const reported =
      fate === 'succeeds'
        ? this.#states.succeeded(state, this.#now)
        : underWay(state, this.#now, fate === 'is silent');
    this.#states.byCluster.set(child.cluster, reported);
    const lane = this.#laneOf.get(child.cluster);
    if (lane === undefined) return;
    lane.update(child, this.#states);
    this.#steps.delete(lane);
  }

  #fateOf(child: ClusterAddOn): Fate {
    const { failing, silent } = this.#options;
    if (silent?.has(child.cluster) === true) return 'is silent';
    if (failing?.has(child.cluster) === true) return 'fails';
    return fateOf(this.#stateOf(child).references, this.#addOn);
  }

  /** Lets time pass until a lane may do something else; false where that never comes. */
  #wait(): boolean {
    const dueOf = (lane: Lane): number => {
      const step = this.#stepOf(lane);
      return step instanceof Error ? Infinity : (step.due ?? Infinity);
    };
    const due = this.#lanes.reduce((first, lane) => Math.min(first, dueOf(lane)), Infinity);
    if (due === Infinity) return false;
    this.#now = due;
    for (const lane of this.#lanes) if (dueOf(lane) <= due) this.#steps.delete(lane);
    return true;
  }

  #refreshOwnHashes(child: ClusterAddOn): boolean {
    const { refreshed } = this.#states.compare(child);
    if (refreshed === this.#stateOf(child)) return false;
    this.#states.byCluster.set(child.cluster, refreshed);
    // What waits for its turn all the same is not rendered before: its Configured condition says no.
    if (this.#states.compare(child).progress !== 'Progressing') return false;
    this.#states.byCluster.set(child.cluster, underWay(refreshed, this.#now, false));
    return true;
  }

  /** What the hub reports with the step of a lane; it stands until the next. */
  #reported(lane: Lane): readonly Progression[] {
    const step = this.#stepOf(lane);
    if (step instanceof Error) return [];
    const progression = lane.progression(step);
    this.#progressions.set(lane, progression);
    return [progression];
  }

  #stateOf({ cluster }: ClusterAddOn): ClusterState {
    return this.#states.of(cluster);
  }

  #stepOf(lane: Lane): Step | Error {
    const step = this.#steps.get(lane) ?? lane.step(this.#now);
    this.#steps.set(lane, step);
    return step;
  }
}

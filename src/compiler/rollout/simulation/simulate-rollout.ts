import type { AddOnState } from './add-on-state.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { fateOf, type Fate } from './agent.ts';
import { earliestSuccess, underWay, type ClusterState } from './cluster-state.ts';
import type { RolloutGraph } from '../graph.ts';
import { PlacementRollout } from './placement-rollout.ts';
import { isStarted, type Step } from '../progress.ts';
import type { Progression } from '../progression.ts';
import { SharedStates } from './shared-states.ts';
import { stopOf, type Stop } from '../stop.ts';
import { uninstalledFrom } from './uninstalled.ts';
import type { Wave } from '../wave.ts';
import { WaveParts } from './wave-parts.ts';

/** The rollout of one add-on from one state to its desired configuration. */
export interface Rollout {
  readonly waves: readonly Wave[];
  /** Whether the hub writes any status. An earlier error leaves all statuses unchanged. */
  readonly configures: boolean;
  /** The points at which it ends before all clusters were configured. */
  readonly stops: readonly Stop[];
  /** Clusters that got the configuration and never become ready, sorted by name. */
  readonly unready: readonly string[];
  /** Those of `unready` whose API servers refuse the change. Absent if there are none. */
  readonly refusing?: readonly string[];
  /** Clusters from which the add-on is removed immediately, sorted by name. */
  readonly uninstalled: readonly string[];
  /** The final report of the hub on each placement. */
  readonly progressions: readonly Progression[];
  /** Milliseconds after the start until nothing changes any more: all soaks, each in full, and all deadlines are over. */
  readonly settledAfter: number;
  /** The same if the hub counts every soak from the earliest time that agents make possible. */
  readonly settledEarliest: number;
  /** Which clusters of an installation can start before those of the first wave. Absent if none can. */
  readonly startOrder?: StartOrder;
  /** The final state of every cluster. */
  readonly reached: AddOnState;
  /** With compiled delivery: the wave in which each cluster changes, from 1, even if it does not have to change now. */
  readonly waveNumbers?: ReadonlyMap<string, number>;
}

/**
 * Which clusters can start before those of the first wave of an installation:
 * - `any cluster`: the hub creates the ManagedClusterAddOns in random order, and configures those that exist first.
 * - `any group`: ManagedClusterAddOns of an earlier installation count as successful until they are removed.
 */
export type StartOrder = 'any cluster' | 'any group';

export interface SimulationOptions {
  /** The start time of the rollout, in milliseconds since the epoch. */
  readonly now: number;
  readonly hub: HubVersion;
  /** Clusters whose agents report that the works fail. */
  readonly failing?: ReadonlySet<string>;
  /** Clusters whose API servers refuse the change, so that their agents report the same. */
  readonly refusing?: ReadonlySet<string>;
  /** Clusters whose agents report nothing. */
  readonly silent?: ReadonlySet<string>;
  /**
   * The time from which the hub counts a soak: the success of a cluster, or the earliest time that its agent makes possible.
   *
   * @default - the success
   */
  readonly soaksSince?: 'success' | 'earliest';
}

/**
 * Simulates the hub until nothing changes any more. Agents report success as soon as they have their works, except if the options
 * say otherwise, if a configuration has no hash, or if a cluster is already late. As OCM's addonconfiguration controller, with
 * one round of the agents after each of its rounds.
 */
export function simulateRollout(
  addOn: ResolvedAddOn,
  graph: RolloutGraph,
  from: AddOnState,
  options: SimulationOptions,
): Rollout {
  const uninstalled = uninstalledFrom(addOn.clusters, from);
  return { ...new Run(addOn, graph, from, options).toTheEnd(), uninstalled };
}

/** One rollout in progress. */
class Run {
  readonly #addOn: ResolvedAddOn;
  readonly #options: SimulationOptions;
  readonly #unplaced: readonly ClusterAddOn[];
  readonly #states: SharedStates;
  readonly #placementRollouts: readonly PlacementRollout[];
  readonly #byPlacement: ReadonlyMap<string, PlacementRollout>;
  /** The current step of each placement. Placements whose step has to be computed again are missing. */
  readonly #steps = new Map<PlacementRollout, Step | Error>();
  /** The last report of the hub on each placement. */
  readonly #progressions = new Map<PlacementRollout, Progression>();
  /** Clusters whose own configuration was edited. The hub does not delay them. */
  readonly #bypassing: readonly ClusterAddOn[];
  #now: number;
  #configures = false;

  constructor(
    addOn: ResolvedAddOn,
    { nodes, unplaced }: RolloutGraph,
    from: AddOnState,
    options: SimulationOptions,
  ) {
    this.#addOn = addOn;
    this.#options = options;
    this.#unplaced = unplaced;
    this.#now = options.now;
    this.#states = new SharedStates(from);
    this.#bypassing = [...addOn.clusters.individual.values()].filter(
      (child) => child.managedClusterAddOn !== undefined && this.#refreshOwnHashes(child),
    );
    this.#placementRollouts = nodes.map(
      (node) => new PlacementRollout(node, addOn.clusters, this.#states, options.hub),
    );
    this.#byPlacement = new Map(
      this.#placementRollouts.map((placementRollout) => [placementRollout.node.placement, placementRollout]),
    );
  }

  toTheEnd(): Omit<Rollout, 'uninstalled'> {
    const waves: Wave[] = [];
    for (let round = 0; ; round += 1) {
      const asked = this.#placementRollouts.filter((placementRollout) => !this.#steps.has(placementRollout));
      for (const placementRollout of asked)
        this.#steps.set(placementRollout, placementRollout.step(this.#now));
      // As OCM's sync: an error of one placement occurs before anything is written for any placement.
      const error = asked
        .map((placementRollout) => this.#stepOf(placementRollout))
        .find((step) => step instanceof Error);
      if (error !== undefined) return this.#end(waves, [this.#stopOf(error)]);
      this.#configures = true;
      const progressions = asked.flatMap((placementRollout) => this.#reported(placementRollout));
      const builder = new WaveParts();
      const active = [
        ...(round === 0 ? this.#startAtOnce(builder) : []),
        ...asked.flatMap((placementRollout) => this.#start(placementRollout, builder)),
      ];
      for (const child of active) this.#report(child);
      const wave = builder.wave(this.#now - this.#options.now, progressions);
      if (wave !== undefined) waves.push(wave);
      if (active.length === 0 && !this.#wait()) break;
    }
    const stops = this.#placementRollouts.flatMap((placementRollout) => {
      const step = this.#stepOf(placementRollout);
      if (step instanceof Error) return [];
      const { refusing } = this.#options;
      return stopOf(placementRollout, step, { addOn: this.#addOn, now: this.#now, refusing }) ?? [];
    });
    return this.#end(waves, stops);
  }

  #end(waves: readonly Wave[], stops: readonly Stop[]): Omit<Rollout, 'uninstalled'> {
    return {
      waves,
      configures: this.#configures,
      stops,
      unready: this.#started(),
      progressions: this.#placementRollouts.flatMap(
        (placementRollout) => this.#progressions.get(placementRollout) ?? [],
      ),
      settledAfter: this.#now - this.#options.now,
      settledEarliest: this.#now - this.#options.now,
      reached: {
        get: (cluster) => (this.#addOn.clusters.has(cluster) ? this.#states.of(cluster) : undefined),
        keys: () => this.#addOn.clusters.keys(),
      },
    };
  }

  #stopOf({ message }: Error): Stop {
    return { reason: 'error', message, culprits: [], left: this.#waiting() };
  }

  /** Returns the clusters that have started and are not ready, sorted by name. */
  #started(): readonly string[] {
    const unplaced = this.#unplaced.filter((child) => isStarted(this.#states.compare(child).progress));
    return [
      ...this.#placementRollouts.flatMap((placementRollout) => placementRollout.started()),
      ...unplaced.map(({ cluster }) => cluster),
    ].sort();
  }

  #waiting(): readonly string[] {
    const waiting: string[] = [];
    for (const child of this.#addOn.clusters.values())
      if (this.#states.compare(child).progress === 'ToApply') waiting.push(child.cluster);
    return waiting.sort();
  }

  /** Returns the clusters that change or are in progress at the start of the rollout, regardless of any strategy. */
  #startAtOnce(builder: WaveParts): ClusterAddOn[] {
    for (const child of this.#bypassing)
      builder.add(child.cluster, 'own configuration', this.#rolloutOf(child));
    for (const child of this.#unplaced) if (this.#release(child)) builder.add(child.cluster, 'no placement');
    const hasPlaced = this.#placementRollouts.some(({ hasStarted }) => hasStarted);
    const candidates = hasPlaced ? [...this.#addOn.clusters.values()] : this.#unplaced;
    return candidates.filter((child) => {
      const isInProgress = isStarted(this.#states.compare(child).progress);
      const late = this.#rolloutOf(child)?.phaseOf(child.cluster, this.#now) === 'late';
      return isInProgress && !late;
    });
  }

  /** Releases the configuration to the clusters that a placement lets change now. */
  #start(placementRollout: PlacementRollout, builder: WaveParts): ClusterAddOn[] {
    const step = this.#stepOf(placementRollout);
    if (step instanceof Error) return [];
    // Clusters in progress get the release again, which matters if they had a different one before.
    return [...step.starting, ...step.joining].flatMap((cluster) => {
      const child = placementRollout.node.children.get(cluster);
      if (child === undefined || !this.#release(child)) return [];
      builder.add(cluster, 'strategy', placementRollout);
      return [child];
    });
  }

  /** Releases the desired configuration to the cluster. Returns false if it already has it. */
  #release(child: ClusterAddOn): boolean {
    const { released } = this.#states.compare(child);
    if (released === this.#stateOf(child)) return false;
    this.#states.set(child.cluster, released);
    return true;
  }

  /** Lets the agent of a cluster report its state. */
  #report(child: ClusterAddOn): void {
    const state = this.#stateOf(child);
    const fate = this.#fateOf(child);
    const reported =
      fate === 'succeeds'
        ? this.#states.succeeded(state, this.#successOf(state))
        : underWay(state, this.#now, fate === 'is silent');
    this.#states.set(child.cluster, reported);
    const placementRollout = this.#rolloutOf(child);
    if (placementRollout === undefined) return;
    placementRollout.update(child, this.#states);
    this.#steps.delete(placementRollout);
  }

  /** Returns the time from which the hub counts the success of a cluster with this state. */
  #successOf(state: ClusterState): number {
    const { soaksSince, now } = this.#options;
    return soaksSince === 'earliest' ? earliestSuccess(state, now, this.#now) : this.#now;
  }

  #fateOf(child: ClusterAddOn): Fate {
    const { failing, refusing, silent } = this.#options;
    const { cluster } = child;
    if (silent?.has(cluster) === true) return 'is silent';
    if (failing?.has(cluster) === true || refusing?.has(cluster) === true) return 'fails';
    return fateOf(this.#stateOf(child).references, this.#addOn);
  }

  /** Advances the time until a placement can take another step. Returns false if that never happens. */
  #wait(): boolean {
    const dueOf = (placementRollout: PlacementRollout): number => {
      const step = this.#stepOf(placementRollout);
      return step instanceof Error ? Infinity : (step.due ?? Infinity);
    };
    const due = this.#placementRollouts.reduce(
      (first, placementRollout) => Math.min(first, dueOf(placementRollout)),
      Infinity,
    );
    if (due === Infinity) return false;
    this.#now = due;
    for (const placementRollout of this.#placementRollouts)
      if (dueOf(placementRollout) <= due) this.#steps.delete(placementRollout);
    return true;
  }

  #refreshOwnHashes(child: ClusterAddOn): boolean {
    const { refreshed } = this.#states.compare(child);
    if (refreshed === this.#stateOf(child)) return false;
    this.#states.set(child.cluster, refreshed);
    // A configuration that still waits for its wave is not rendered earlier: its Configured condition is false.
    if (this.#states.compare(child).progress !== 'Progressing') return false;
    this.#states.set(child.cluster, underWay(refreshed, this.#now, false));
    return true;
  }

  /** Returns the hub's report on the current step of a placement. The report remains valid until the next step. */
  #reported(placementRollout: PlacementRollout): readonly Progression[] {
    const step = this.#stepOf(placementRollout);
    if (step instanceof Error) return [];
    const progression = placementRollout.progression(step);
    this.#progressions.set(placementRollout, progression);
    return [progression];
  }

  /** Returns the rollout that leads a cluster: that of the last placement which selects it. */
  #rolloutOf({ placements }: ClusterAddOn): PlacementRollout | undefined {
    return this.#byPlacement.get(placements.at(-1) ?? '');
  }

  #stateOf({ cluster }: ClusterAddOn): ClusterState {
    return this.#states.of(cluster);
  }

  #stepOf(placementRollout: PlacementRollout): Step | Error {
    return getOrInsertComputed(this.#steps, placementRollout, () => placementRollout.step(this.#now));
  }
}

import { addToGroup } from '../../../base/collections/groups.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { desiredOn, freshState, released, type ClusterState } from './cluster-state.ts';
import type { RolloutGraph } from '../graph.ts';
import { rolloutAtOnce } from './rollout-at-once.ts';
import type { Rollout, SimulationOptions } from './simulate-rollout.ts';
import type { AddOnState } from './add-on-state.ts';
import { startsOf, type Start } from './starts.ts';
import { SuccessStates } from './success-states.ts';
import { uninstalledFrom } from './uninstalled.ts';

const nobody: ReadonlySet<string> = new Set();

/** More rollouts than most hubs have: those of strategies that are being typed are forgotten. */
const mostModels = 100;

/** A simulated rollout and the state that it started from. */
interface Model {
  readonly rollout: Rollout;
  readonly from: AddOnState;
}

/**
 * The rollouts of several add-ons. Those that go in one wave are not simulated. Others that go in the same waves are simulated
 * once: the same placements install them by the same strategies, the same clusters already have their configuration since the
 * same time, the same clusters refuse the change, and every other cluster becomes ready. Such rollouts differ only in the
 * configurations of the clusters.
 */
export class SharedRollouts {
  readonly #options: Pick<SimulationOptions, 'now' | 'hub'>;
  readonly #models = new Map<string, Model>();

  constructor(options: Pick<SimulationOptions, 'now' | 'hub'>) {
    this.#options = options;
  }

  /**
   * Returns the rollout of an add-on whose agents all succeed.
   *
   * @param refusing - the clusters whose agents do not, because their API servers refuse the change
   */
  of(
    addOn: ResolvedAddOn,
    graph: RolloutGraph,
    from: AddOnState,
    simulate: () => Rollout,
    refusing: ReadonlySet<string> = nobody,
  ): Rollout {
    const starts = startsOf(addOn, from, this.#options.hub);
    if (starts === undefined) return simulate();
    const atOnce = refusing.size > 0 ? undefined : rolloutAtOnce(addOn, graph, from, starts, this.#options);
    if (atOnce !== undefined) return atOnce;
    const key = wavesKey(addOn, graph, starts, refusing);
    const model = this.#models.get(key);
    if (model !== undefined) return rolloutLike(model, addOn, from, refusing);
    const rollout = simulate();
    if (this.#models.size >= mostModels) this.#models.clear();
    this.#models.set(key, { rollout, from });
    return rollout;
  }
}

/** Returns a key that is equal for rollouts in the same waves. */
function wavesKey(
  { clusters }: ResolvedAddOn,
  { nodes }: RolloutGraph,
  starts: readonly Start[],
  refusing: ReadonlySet<string>,
): string {
  const byClass = new Map<string, (readonly string[])[]>();
  for (const { class: startClass, clusters: starting } of starts)
    addToGroup(byClass, JSON.stringify(startClass), starting);
  // The placements determine all clusters, so the largest class needs no names.
  const bySize = [...byClass].sort(([, a], [, b]) => sizeOf(a) - sizeOf(b));
  const largest = bySize.pop();
  const others = bySize.map(([startClass, lists]) => [startClass, lists.flat().sort()]);
  const strategies = nodes.map(({ placement, rolloutStrategy }) => [placement, rolloutStrategy ?? null]);
  return JSON.stringify([strategies, largest?.[0] ?? null, clusters.size, others, [...refusing].sort()]);
}

function sizeOf(lists: readonly (readonly string[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the rollout of an add-on that goes in the same waves as another. */
function rolloutLike(
  { rollout, from: modelFrom }: Model,
  { clusters }: ResolvedAddOn,
  from: AddOnState,
  refusing: ReadonlySet<string>,
): Rollout {
  const successes = new SuccessStates();
  const stateOn = (cluster: string): ClusterState | undefined => {
    const child = clusters.get(cluster);
    if (child === undefined) return undefined;
    const before = from.get(cluster) ?? freshState;
    const modelState = rollout.reached.get(cluster) ?? freshState;
    const isReached = modelState !== (modelFrom.get(cluster) ?? freshState);
    if (!isReached) return before;
    const { progressing } = modelState;
    // Clusters that no strategy delays stay under way if their deadline is over at once, or if an error ends the rollout.
    return refusing.has(cluster) || progressing?.reason === 'Progressing'
      ? { ...released(before, desiredOn(child, before)), ...(progressing && { progressing }), reported: true }
      : successes.of(child, before, progressing?.since ?? 0);
  };
  return {
    ...rollout,
    uninstalled: uninstalledFrom(clusters, from),
    reached: { get: stateOn, keys: () => clusters.keys() },
  };
}

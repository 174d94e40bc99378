import type { ClusterAddOn, EffectiveConfiguration, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { freshState, released, succeeded, type ClusterState } from './cluster-state.ts';
import type { RolloutGraph } from './graph.ts';
import type { AddOnState, Rollout } from './simulate-rollout.ts';
import { fateOf, isCounted } from './agent.ts';

/**
 * Returns a key that is equal for add-ons that are installed in the same waves: no cluster runs them yet, the same placements
 * install them by the same strategies, and every cluster becomes ready. Their rollouts differ only in the configurations of the
 * clusters. Undefined if the rollout of an add-on has to be computed separately.
 */
export function installationKey(
  addOn: ResolvedAddOn,
  { nodes, unplaced }: RolloutGraph,
  from: AddOnState,
  hub: HubVersion,
): string | undefined {
  if (unplaced.length > 0) return undefined;
  for (const [cluster, state] of from) {
    if (state !== freshState || !addOn.clusters.has(cluster)) return undefined;
  }
  const ready = new Set<EffectiveConfiguration>();
  for (const child of addOn.clusters.values()) {
    if (child.managedClusterAddOn !== undefined && !isCounted(child, hub)) return undefined;
    const { effective } = child;
    if (ready.has(effective)) continue;
    const { references } = effective;
    if (references.length === 0 || fateOf(references, addOn) !== 'succeeds') return undefined;
    ready.add(effective);
  }
  return JSON.stringify(nodes.map(({ placement, rolloutStrategy }) => [placement, rolloutStrategy ?? null]));
}

/** Returns the rollout of an add-on that is installed in the same waves as another. */
export function withSharedWaves(model: Rollout, { clusters }: ResolvedAddOn): Rollout {
  const shared = new Map<ClusterState, Map<EffectiveConfiguration, ClusterState>>();
  const reached = new Map<string, ClusterState>();
  for (const [cluster, child] of clusters) {
    const state = model.reached.get(cluster) ?? freshState;
    let byConfiguration = shared.get(state);
    if (byConfiguration === undefined) shared.set(state, (byConfiguration = new Map()));
    let sharedInstallation = byConfiguration.get(child.effective);
    if (sharedInstallation === undefined)
      byConfiguration.set(child.effective, (sharedInstallation = stateLike(state, child)));
    reached.set(cluster, sharedInstallation);
  }
  return { ...model, reached };
}

/** If the model's cluster has its configuration, this cluster has its own configuration, since the same time. */
function stateLike({ references, progressing }: ClusterState, { effective }: ClusterAddOn): ClusterState {
  if (references.length === 0 || progressing?.since === undefined) return freshState;
  return succeeded(released(freshState, effective.references), progressing.since);
}

import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { ClusterAddOn, EffectiveConfiguration } from '../../configure/resolved-add-on.ts';
import { desiredOn, released, succeeded, type ClusterState } from './cluster-state.ts';

type ByConfiguration = Map<EffectiveConfiguration, ClusterState>;

/** The states of clusters after they got their configuration and became ready. Clusters with equal states share one object. */
export class SuccessStates {
  readonly #states = new Map<number, Map<ClusterState, ByConfiguration>>();

  /** @param since - the time of the success, in milliseconds since the epoch */
  of(child: ClusterAddOn, before: ClusterState, since: number): ClusterState {
    const atTime = getOrInsertComputed(this.#states, since, () => new Map<ClusterState, ByConfiguration>());
    const ofState = getOrInsertComputed(atTime, before, (): ByConfiguration => new Map());
    return getOrInsertComputed(ofState, child.effective, () =>
      succeeded(released(before, desiredOn(child, before)), since),
    );
  }
}

import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { AddOnClusters } from '../../configure/add-on-clusters.ts';
import type { EffectiveConfiguration } from '../../configure/resolved-add-on.ts';
import type { ClusterState } from './cluster-state.ts';
import type { AddOnState } from './add-on-state.ts';

/** The state of an add-on on clusters whose state depends on their configuration alone: clusters of a class share it. */
export class ConfiguredState implements AddOnState {
  readonly clusters: AddOnClusters;
  readonly #stateOf: (effective: EffectiveConfiguration) => ClusterState;
  readonly #states = new Map<EffectiveConfiguration, ClusterState>();

  constructor(clusters: AddOnClusters, stateOf: (effective: EffectiveConfiguration) => ClusterState) {
    this.clusters = clusters;
    this.#stateOf = stateOf;
  }

  get(cluster: string): ClusterState | undefined {
    const effective = this.clusters.effectiveOn(cluster);
    return effective && this.of(effective);
  }

  of(effective: EffectiveConfiguration): ClusterState {
    return getOrInsertComputed(this.#states, effective, this.#stateOf);
  }

  keys(): Iterable<string> {
    return this.clusters.keys();
  }
}

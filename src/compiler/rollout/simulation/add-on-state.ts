import type { ClusterState } from './cluster-state.ts';

/** The state of an add-on on each cluster, by cluster name. Computed states are not stored, hence no more of a map. */
export interface AddOnState {
  get(cluster: string): ClusterState | undefined;
  keys(): Iterable<string>;
}

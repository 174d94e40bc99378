import type { Repository } from './history.ts';

/** The clusters of each storm. */
export const clusters = ['c1', 'c2', 'c3', 'c4', 'c5'];

/** What the placements of a storm select, so that the other clusters of a hub have none of its add-ons. */
export const clusterLabels = { storm: 'yes' };

/** A hub with {@link clusters}, and an engine that applies commits to it. */
export interface StormHub {
  readonly engine: 'argocd' | 'flux';
  /** What the names of apps begin with, so that storms on one hub share nothing but its clusters. */
  readonly prefix: string;
  /**
   * Applies the last commit of a repository.
   *
   * @returns what was deleted although something on the hub uses it, and what the hub lacks although a cluster uses it
   */
  sync(repository: Repository): Promise<readonly string[]>;
  /** Lets the rollouts reach one cluster, if it is the next one. */
  advance(cluster: string): Promise<void>;
}

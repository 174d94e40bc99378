import type { AddOnClusters } from '../../configure/add-on-clusters.ts';
import { jointClasses } from '../../configure/joint-classes.ts';
import { ConfiguredState } from './configured-state.ts';
import type { AddOnState } from './add-on-state.ts';

/** Returns the clusters that have an add-on and are no longer to have it, sorted by name. */
export function uninstalledFrom(clusters: AddOnClusters, from: AddOnState): readonly string[] {
  const gone =
    from instanceof ConfiguredState
      ? jointClasses(from.clusters, clusters).flatMap(({ after, clusters: all }) =>
          after === undefined ? all : [],
        )
      : [...from.keys()].filter((cluster) => !clusters.has(cluster));
  return gone.sort();
}

import type {
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../../schemas/types.gen.ts';
import type { Stored } from '../../client/object.ts';
import { addOnNamespaceLabel, hostingClusterOf } from '../../ocm/hosted-mode.ts';

/** The cluster that hosts an add-on of another cluster, in hosted mode. */
export interface Hosting {
  readonly name: string;
  /** Undefined if the hub does not have it. */
  readonly cluster: Stored<ManagedClusterV1> | undefined;
  /** The add-on's works for it. */
  readonly works: readonly Stored<ManifestWorkV1>[];
}

/** The works of an add-on on a cluster, and its hosting cluster if it is in hosted mode. */
export interface LocatedWorks {
  /** Those in the namespace of the cluster. */
  readonly works: readonly Stored<ManifestWorkV1>[];
  readonly hosting: Hosting | undefined;
}

/**
 * Returns the works of an add-on by the cluster that runs them. As OCM addonprogressing: a work that names the add-on's cluster
 * counts only in the namespace of the hosting cluster.
 *
 * @param works all that name the add-on and its cluster
 */
export function locatedWorks(
  onCluster: Stored<ManagedClusterAddOnV1alpha1>,
  works: readonly Stored<ManifestWorkV1>[],
  clusterNamed: (name: string) => Stored<ManagedClusterV1> | undefined,
): LocatedWorks {
  const name = hostingClusterOf(onCluster);
  const isHosted = ({ metadata }: Stored<ManifestWorkV1>): boolean =>
    metadata.labels?.[addOnNamespaceLabel] !== undefined;
  return {
    works: works.filter((work) => !isHosted(work)),
    hosting:
      name === undefined
        ? undefined
        : {
            name,
            cluster: clusterNamed(name),
            works: works.filter((work) => isHosted(work) && work.metadata.namespace === name),
          },
  };
}

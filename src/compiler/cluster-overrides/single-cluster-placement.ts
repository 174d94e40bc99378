import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { PlacementV1beta1, PlacementV1beta1ClusterPredicate } from '../../../schemas/types.gen.ts';
import { overrideOfAnnotation } from '../../ocm/fleetwright-annotations.ts';

/** A cluster with a separate configuration of an add-on. */
export interface Override {
  readonly addOn: string;
  readonly cluster: string;
}

/**
 * Returns a Placement that selects one cluster if and only if another Placement selects it: it has the sets, predicates and
 * tolerations of that Placement, and also requires the name of the cluster.
 */
export function singleClusterPlacement(
  { apiVersion, kind, metadata, spec }: PlacementV1beta1,
  { addOn, cluster }: Override,
): KubernetesObject {
  const { clusterSets, predicates = [], tolerations } = spec;
  const { namespace = '', name = '' } = metadata;
  const any = predicates.length === 0 ? [{}] : predicates;
  return {
    apiVersion,
    kind,
    metadata: {
      namespace,
      name: placementName(addOn, cluster, `${namespace}/${name}`),
      annotations: { [overrideOfAnnotation]: `${cluster}/${addOn}` },
    },
    spec: {
      ...(clusterSets === undefined ? {} : { clusterSets }),
      predicates: any.map((predicate) => ofCluster(predicate, cluster)),
      ...(tolerations === undefined ? {} : { tolerations }),
    },
  };
}

function ofCluster(
  { requiredClusterSelector: selector = {} }: PlacementV1beta1ClusterPredicate,
  cluster: string,
): PlacementV1beta1ClusterPredicate {
  // No label or claim contains the name of a cluster.
  const isCluster = `managedCluster.metadata.name == ${JSON.stringify(cluster)}`;
  const celExpressions = [...(selector.celSelector?.celExpressions ?? []), isCluster];
  return { requiredClusterSelector: { ...selector, celSelector: { celExpressions } } };
}

/** Decisions have the name of their Placement in a label, whose maximum length is 63 characters. */
const longestName = 63;
const digits = 8;

/** Returns a unique name that describes the purpose of the Placement. */
function placementName(addOn: string, cluster: string, base: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([addOn, cluster, base]))
    .digest('hex');
  const readable = `${addOn}-${cluster}`.slice(0, longestName - digits - 1).replace(/[.-]+$/, '');
  return `${readable}-${hash.slice(0, digits)}`;
}

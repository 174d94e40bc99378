import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../schemas/object-meta.ts';
import type { PlacementV1beta1, PlacementV1beta1ClusterPredicate } from '../../schemas/types.gen.ts';
import { overrideOfAnnotation } from '../../schemas/own-annotations.ts';

/** A cluster that has something of its own of an add-on. */
export interface Override {
  readonly addOn: string;
  readonly cluster: string;
}

/**
 * A Placement that selects one cluster, and it just where another Placement selects it: it has the sets, predicates and
 * tolerations of that one, and asks for the name of the cluster too.
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
  // There is no label with the name of a cluster, nor a claim.
  const isCluster = `managedCluster.metadata.name == ${JSON.stringify(cluster)}`;
  const celExpressions = [...(selector.celSelector?.celExpressions ?? []), isCluster];
  return { requiredClusterSelector: { ...selector, celSelector: { celExpressions } } };
}

/** Decisions have the name of their Placement in a label, which has room for so many characters. */
const longestName = 63;
const digits = 8;

/** A name that tells people what the Placement is for, and that no other one has. */
function placementName(addOn: string, cluster: string, base: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([addOn, cluster, base]))
    .digest('hex');
  const readable = `${addOn}-${cluster}`.slice(0, longestName - digits - 1).replace(/[.-]+$/, '');
  return `${readable}-${hash.slice(0, digits)}`;
}

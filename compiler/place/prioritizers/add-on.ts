import type { AddOnPlacementScoreV1alpha1, PlacementV1beta1AddOnScore } from '../../../schemas/types.gen.ts';
import type { ClusterIndex, ClusterIndices } from '../cluster-index.ts';

type ScoreObject = AddOnPlacementScoreV1alpha1;

/** The AddOnPlacementScores of every cluster. */
export interface AddOnScores {
  /** The object of a name in the namespace of a cluster. */
  find(resourceName: string, cluster: number): ScoreObject | undefined;
}

/** What an add-on's scores say of some clusters. */
export interface AddOnVerdict {
  /** By position; 0 where there is none. */
  readonly scores: Float64Array;
  /** The clusters whose scores are no longer valid, which count as 0. */
  readonly expired: readonly number[];
}

/** Sorts score objects by name and cluster; those in other namespaces count for nothing. */
export function addOnScores(index: ClusterIndex, objects: readonly ScoreObject[]): AddOnScores {
  const byName = new Map<string, Map<number, ScoreObject>>();
  for (const object of objects) {
    const { namespace = '', name = '' } = object.metadata;
    const cluster = index.indexOf(namespace);
    if (cluster === undefined) continue;
    const ofName = byName.get(name);
    if (ofName) ofName.set(cluster, object);
    else byName.set(name, new Map([[cluster, object]]));
  }
  return { find: (resourceName, cluster) => byName.get(resourceName)?.get(cluster) };
}

/** As OCM's addon plugin: the score of that name as it is, whatever other clusters have. `now` in milliseconds. */
export function addOnVerdict(
  clusters: ClusterIndices,
  { resourceName, scoreName }: PlacementV1beta1AddOnScore,
  objects: AddOnScores,
  now: number,
): AddOnVerdict {
  const expired: number[] = [];
  const scores = Float64Array.from(clusters, (cluster) => {
    const object = objects.find(resourceName, cluster);
    if (object === undefined) return 0;
    if (isExpired(object, now)) {
      expired.push(cluster);
      return 0;
    }
    // of several scores with the same name the last counts
    return object.status?.scores?.findLast(({ name }) => name === scoreName)?.value ?? 0;
  });
  return { scores, expired };
}

/** Strictly later: a score is valid at the very moment at which it expires. */
function isExpired({ status }: ScoreObject, now: number): boolean {
  const { validUntil } = status ?? {};
  return typeof validUntil === 'string' && now > Date.parse(validUntil);
}

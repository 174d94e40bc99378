import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type {
  AddOnPlacementScoreV1alpha1,
  PlacementV1beta1AddOnScore,
} from '../../../../schemas/types.gen.ts';
import type { ClusterIndex, ClusterIndices } from '../cluster-index.ts';
import { moment } from '../../../base/time/rfc3339.ts';

type ScoreObject = AddOnPlacementScoreV1alpha1;

/** The AddOnPlacementScores of every cluster. */
export interface AddOnScores {
  /** Returns the object with a name in a namespace. The scores of a cluster are in the namespace with its name. */
  find(resourceName: string, namespace: string): ScoreObject | undefined;
  /** Returns one score of all clusters. */
  column(score: PlacementV1beta1AddOnScore): ScoreColumn;
}

/** One score of all clusters, by cluster index. */
export interface ScoreColumn {
  /** 0 if there is none. */
  readonly values: Float64Array;
  /** Milliseconds since 1970; Infinity if it does not expire. */
  readonly validUntil: Float64Array;
}

/** The scores of an add-on for some clusters. */
export interface AddOnVerdict {
  /** By position; 0 if there is none. */
  readonly scores: Float64Array;
  /** The clusters whose scores have expired, which count as 0. */
  readonly expired: readonly number[];
}

/** Sorts score objects by name and namespace. */
export function addOnScores(index: ClusterIndex, objects: readonly ScoreObject[]): AddOnScores {
  const byName = new Map<string, Map<string, ScoreObject>>();
  for (const object of objects) {
    const { namespace = '', name = '' } = object.metadata;
    const ofName = byName.get(name);
    if (ofName) ofName.set(namespace, object);
    else byName.set(name, new Map([[namespace, object]]));
  }
  const columns = new Map<string, ScoreColumn>();

  function makeColumn({ resourceName, scoreName }: PlacementV1beta1AddOnScore): ScoreColumn {
    const values = new Float64Array(index.size);
    const validUntil = new Float64Array(index.size).fill(Infinity);
    for (const [namespace, { status }] of byName.get(resourceName) ?? []) {
      const cluster = index.indexOf(namespace);
      if (cluster === undefined) continue;
      // if several scores have the same name, the last one counts
      values[cluster] = status?.scores?.findLast(({ name }) => name === scoreName)?.value ?? 0;
      validUntil[cluster] = moment(status?.validUntil) ?? Infinity;
    }
    return { values, validUntil };
  }

  return {
    find: (resourceName, namespace) => byName.get(resourceName)?.get(namespace),
    column: (score) => {
      const key = `${score.resourceName}/${score.scoreName}`;
      return getOrInsertComputed(columns, key, () => makeColumn(score));
    },
  };
}

/** As OCM's addon plugin: the score with that name, unchanged, independent of other clusters. `now` is in milliseconds. */
export function addOnVerdict(
  clusters: ClusterIndices,
  { values, validUntil }: ScoreColumn,
  now: number,
): AddOnVerdict {
  const scores = new Float64Array(clusters.length);
  const expired: number[] = [];
  for (let position = 0; position < clusters.length; position++) {
    const cluster = clusters[position] ?? 0;
    // strictly later: a score is still valid at the time at which it expires
    if (now > (validUntil[cluster] ?? Infinity)) expired.push(cluster);
    else scores[position] = values[cluster] ?? 0;
  }
  return { scores, expired };
}

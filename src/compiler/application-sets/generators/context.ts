import type { JsonMap } from '../../../base/json/json-map.ts';
import type { PlacementDecisionV1beta1 } from '../../../../schemas/types.gen.ts';
import type { RepositoryFiles } from '../../model/repository-files.ts';
import type { ArgoCdCluster } from '../argo-cd-clusters.ts';
import type { Replacement } from '../templates/replacement.ts';

/** What generators read. All of it is in the namespace of Argo CD, which is the namespace of the ApplicationSet. */
export interface GeneratorContext {
  readonly replacement: Replacement;
  /** The project of the ApplicationSet's template. */
  readonly project: string;
  /** By name. */
  readonly clusters: ReadonlyMap<string, ArgoCdCluster>;
  /** The PlacementDecisions. */
  readonly decisions: readonly PlacementDecisionV1beta1[];
  /** Returns the data of a ConfigMap. Without it, OCM's is assumed, which the controller of GitOpsClusters creates. */
  readonly configMap: (name: string) => JsonMap | undefined;
  /** The files of the repository that has the ApplicationSet. Absent if the inputs are in no repository. */
  readonly repository?: RepositoryFiles;
}

/** Returns a map of texts; empty if it is absent or malformed. */
export function textsIn(value: unknown): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[key, text]] : [],
  );
}

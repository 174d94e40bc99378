import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { historyLimitAnnotation } from '../../ocm/fleetwright-annotations.ts';

/** As the revisions of a Deployment. */
export const defaultHistoryLimit = 10;

/** Returns the number of earlier revisions of an immutable object that the output keeps. @param limit - that of its app */
export function historyLimit({ metadata }: Pick<KubernetesObject, 'metadata'>, limit: number): number {
  return Number(metadata.annotations?.[historyLimitAnnotation] ?? limit);
}

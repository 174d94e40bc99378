import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { promotedRollout, rolloutAnnotation } from './fleetwright-annotations.ts';

/** Whether the waves of a ClusterManagementAddOn are those of a promotion. */
export function isPromoted({ metadata }: Pick<KubernetesObject, 'metadata'>): boolean {
  return metadata.annotations?.[rolloutAnnotation] === promotedRollout;
}

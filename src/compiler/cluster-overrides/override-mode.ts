import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import {
  overrideAnnotation,
  overrideOfAnnotation,
  parametersOfAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { Admitted } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';

/**
 * The form in which the separate configuration of one cluster is sent to the hub.
 *
 * - `object`: as its ManagedClusterAddOn only.
 * - `placement`: as a placement of the install strategy that selects this one cluster.
 * - `inventory`: as its ManagedClusterAddOn, with a list of all of them, by which the companion reverts those that are no longer
 *   in Git.
 */
export const overrideModes = ['object', 'placement', 'inventory'] as const;

export type OverrideMode = (typeof overrideModes)[number];

type Annotated = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>;

/** Returns the mode that an object names. Undefined if it names no valid one. */
export function overrideMode({ metadata }: Annotated): OverrideMode | undefined {
  const value = metadata.annotations?.[overrideAnnotation];
  return overrideModes.find((mode) => mode === value);
}

/** Returns whether a Placement represents an override or a group of clusters with other parameters: no user wrote it. */
export function isOverridePlacement({ metadata: { annotations = {} } }: Annotated): boolean {
  return annotations[overrideOfAnnotation] !== undefined || annotations[parametersOfAnnotation] !== undefined;
}

/** Returns a diagnostic for an invalid mode. Empty if the mode is valid. */
export function unknownMode(asked: Admitted<Annotated>): Diagnostic[] {
  const value = asked.object.metadata.annotations?.[overrideAnnotation];
  if (value === undefined || overrideMode(asked.object) !== undefined) return [];
  return [
    diagnostic('FW4011', {
      message: `"${value}" is not an override mode`,
      ...pointAt(asked, ['metadata', 'annotations', overrideAnnotation]),
      hint: `use one of ${overrideModes.join(', ')}`,
    }),
  ];
}

import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { overrideAnnotation, overrideOfAnnotation } from '../../schemas/own-annotations.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { Admitted } from '../inventory.ts';
import { pointAt } from '../point-at.ts';

/**
 * How the configuration that one cluster has of its own goes to the hub.
 *
 * - `object`: as its ManagedClusterAddOn, and nothing else.
 * - `placement`: as a placement of the install strategy that selects this one cluster.
 * - `inventory`: as its ManagedClusterAddOn, with a list of all of them, by which the companion takes back what is not in Git
 *   any more.
 */
export const overrideModes = ['object', 'placement', 'inventory'] as const;

export type OverrideMode = (typeof overrideModes)[number];

type Annotated = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>;

/** The mode that an object names; undefined where it names none that there is. */
export function overrideMode({ metadata }: Annotated): OverrideMode | undefined {
  const value = metadata.annotations?.[overrideAnnotation];
  return overrideModes.find((mode) => mode === value);
}

/** Whether a Placement is none that somebody wrote: it stands for an override. */
export function standsForOverride({ metadata }: Annotated): boolean {
  return metadata.annotations?.[overrideOfAnnotation] !== undefined;
}

/** A mode that there is not, or nothing. */
export function unknownMode(asked: Admitted<Annotated>): Diagnostic[] {
  const value = asked.object.metadata.annotations?.[overrideAnnotation];
  if (value === undefined || overrideMode(asked.object) !== undefined) return [];
  return [
    {
      code: 'FW4011',
      severity: 'error',
      message: `"${value}" is not an override mode`,
      ...pointAt(asked, ['metadata', 'annotations', overrideAnnotation]),
      hint: `there are ${overrideModes.join(', ')}`,
    },
  ];
}

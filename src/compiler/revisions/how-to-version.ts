import { immutableAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { Admitted } from '../model/inventory.ts';
import { resourceOf } from './resource-of.ts';

/** Returns the hint for an object that is edited in place, where it is written; undefined if no setting makes it immutable. */
export function howToVersion({ object, origin }: Pick<Admitted, 'object' | 'origin'>): string | undefined {
  if (resourceOf(object) === undefined) return undefined;
  const setting =
    'construct' in origin.location
      ? 'set `immutable: true`'
      : `add the annotation \`${immutableAnnotation}: 'true'\``;
  return `${setting}: the name then follows the content, and each change creates a new object`;
}

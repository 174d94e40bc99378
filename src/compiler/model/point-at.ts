import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { Diagnostic } from './diagnostic.ts';
import { formatFieldPath, type FieldPath } from './field-path.ts';
import { referenceTo, type Admitted } from './inventory.ts';

/** Returns the location fields of a diagnostic: a field of an object. */
export function pointAt(
  { object, origin }: Admitted<Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>>,
  path: FieldPath,
): Required<Pick<Diagnostic, 'object' | 'path' | 'location'>> {
  return { object: referenceTo(object), path: formatFieldPath(path), location: origin.locate(path) };
}

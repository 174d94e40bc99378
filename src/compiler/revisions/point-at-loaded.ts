import type { Diagnostic } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import { objectKey, type LoadedObject } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';

/** Returns the location fields of a diagnostic: a field of an object that has not been validated. */
export function pointAtLoaded(
  { object, origin, source }: LoadedObject,
  path: FieldPath,
): Required<Pick<Diagnostic, 'object' | 'path' | 'location'>> {
  const { apiVersion, kind, metadata } = object;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const namespace = text(metadata?.namespace);
  const named = {
    apiVersion: text(apiVersion),
    kind: text(kind),
    metadata: { name: text(metadata?.name), ...(namespace !== '' && { namespace }) },
  };
  return pointAt({ object: named, origin, source }, path);
}

/** Returns the kind, namespace and name of an object that has not been validated, for a message. */
export function titleOf({ object: { kind, metadata } }: LoadedObject): string {
  const { namespace, name } = metadata ?? {};
  return `${kind} "${objectKey(namespace, typeof name === 'string' ? name : '')}"`;
}

import { oncePerPart } from '../../base/collections/joined-lists.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Admitted } from '../model/inventory.ts';
import { isRevisionName } from './name-by-content.ts';

/**
 * Returns findings with the names of immutable objects as the user wrote them. A finding then stays the same finding when the content
 * of the object changes, and its text names what the user can search for.
 */
export function withWrittenNames(
  diagnostics: readonly Diagnostic[],
  objects: readonly Admitted[],
): readonly Diagnostic[] {
  if (diagnostics.length === 0) return diagnostics;
  const names = new Map(writtenNames(objects));
  if (names.size === 0) return diagnostics;
  const inText = (text: string): string =>
    text.replaceAll(revisionPattern, (name) => names.get(name) ?? name);
  return diagnostics.map((each) => {
    const { object, message, hint } = each;
    const written = object && names.get(object.name);
    return {
      ...each,
      message: inText(message),
      ...(hint !== undefined && { hint: inText(hint) }),
      ...(object && written !== undefined && { object: { ...object, name: written } }),
    };
  });
}

/** Returns the names of revisions, each with the name that the user wrote. */
const writtenNames = oncePerPart((part: readonly Admitted[]) =>
  part.flatMap(({ object, source }): (readonly [string, string])[] => {
    const { name = '', annotations } = object.metadata;
    const written = annotations?.[revisionOfAnnotation];
    return source === 'app' && written !== undefined && isRevisionName(name, written)
      ? [[name, written]]
      : [];
  }),
);

/** Text that can be the name of a revision. */
const revisionPattern = /[a-z0-9][a-z0-9.-]*-[0-9a-f]{10}(?![a-z0-9.-])/g;

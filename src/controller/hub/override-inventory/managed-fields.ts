import type { ApiObject, Stored } from '../../../client/object.ts';

/** The API server's record of one writer of an object: its fields and the time of its last write. */
interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  /** RFC 3339, whole seconds. */
  readonly time?: string;
  /** Fields as `f:name`, items of lists as `k:` and `v:`. */
  readonly fieldsV1?: FieldSet;
}

interface FieldSet {
  readonly [field: string]: FieldSet | undefined;
}

function writersOf({ metadata }: Stored<ApiObject>): readonly ManagedFields[] {
  return (metadata as { readonly managedFields?: readonly ManagedFields[] }).managedFields ?? [];
}

const annotations = ['metadata', 'annotations'] as const;

function fieldsAt({ fieldsV1 }: ManagedFields, path: readonly string[]): FieldSet | undefined {
  return path.reduce<FieldSet | undefined>((set, field) => set?.[`f:${field}`], fieldsV1);
}

/**
 * Returns when an annotation was last written by its writers, in milliseconds since the epoch; undefined if that is
 * not recorded.
 */
export function annotationTime(object: Stored<ApiObject>, annotation: string): number | undefined {
  const times = writersOf(object)
    .filter((writer) => fieldsAt(writer, [...annotations, annotation]) !== undefined)
    .map(({ time = '' }) => Date.parse(time))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Whether a list that Git writes on one object was written since a mark that Git writes on another. Otherwise the
 * marked object is new, and the list that names it has not arrived yet: the objects are applied in any order.
 */
export function isListNewer(
  list: Stored<ApiObject>,
  listAnnotation: string,
  marked: Stored<ApiObject>,
  markAnnotation: string,
): boolean {
  const listedAt = annotationTime(list, listAnnotation);
  const markedAt = annotationTime(marked, markAnnotation);
  return listedAt !== undefined && markedAt !== undefined && listedAt >= markedAt;
}

/** The fields that belong to one writer; owners, finalizers and the status have several. */
const fieldGroups = [['metadata', 'labels'], [...annotations], ['spec']] as const;

/** A JSON merge patch, and the paths of the fields that it removes. */
export interface Removal {
  readonly patch: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly removed: readonly string[];
}

/**
 * Removes the fields that only the writers of an annotation wrote. So fields that the hub's controllers or a person
 * wrote beside them stay.
 */
export function removalOfWriter(object: Stored<ApiObject>, annotation: string): Removal {
  const isWriter = (writer: ManagedFields): boolean =>
    fieldsAt(writer, [...annotations, annotation]) !== undefined;
  const writers = writersOf(object).filter(isWriter);
  const others = writersOf(object).filter((writer) => !isWriter(writer));
  const patch: Record<string, Record<string, unknown>> = {};
  const removed: string[] = [];
  for (const fieldGroup of fieldGroups) {
    const [top, inner] = fieldGroup;
    for (const field of new Set(writers.flatMap((writer) => namesIn(fieldsAt(writer, fieldGroup))))) {
      if (others.some((other) => fieldsAt(other, [...fieldGroup, field]) !== undefined)) continue;
      const within = (patch[top] ??= {});
      if (inner === undefined) within[field] = null;
      else within[inner] = { ...(within[inner] as object | undefined), [field]: null };
      removed.push([...fieldGroup, field].join('.'));
    }
  }
  return { patch, removed };
}

function namesIn(set: FieldSet | undefined): string[] {
  return Object.keys(set ?? {}).flatMap((key) => (key.startsWith('f:') ? [key.slice(2)] : []));
}

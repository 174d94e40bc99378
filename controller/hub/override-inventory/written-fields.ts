import type { ApiObject, Stored } from '../../kube/object.ts';

/** What the API server notes of one writer of an object: which fields it wrote, and when it did last. */
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

/** When an annotation was last written by its writers, in milliseconds since the epoch; undefined where that is not noted. */
export function annotationTime(object: Stored<ApiObject>, annotation: string): number | undefined {
  const times = writersOf(object)
    .filter((writer) => fieldsAt(writer, [...annotations, annotation]) !== undefined)
    .map(({ time = '' }) => Date.parse(time))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Whether a list that Git writes on one object was written since a mark that Git writes on another. Otherwise the marked
 * object is new, and the list that names it is on its way: nothing says in which order they are applied.
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

/** The fields in which writers say something; owners, finalizers and the status are not theirs alone. */
const places = [['metadata', 'labels'], [...annotations], ['spec']] as const;

/** A JSON merge patch, and the paths of what it removes. */
export interface Removal {
  readonly patch: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly removed: readonly string[];
}

/**
 * Removes what those wrote who wrote an annotation, and nobody else. So nothing goes that the hub's controllers or a person
 * wrote beside them.
 */
export function removalOfWriter(object: Stored<ApiObject>, annotation: string): Removal {
  const isWriter = (writer: ManagedFields): boolean =>
    fieldsAt(writer, [...annotations, annotation]) !== undefined;
  const writers = writersOf(object).filter(isWriter);
  const others = writersOf(object).filter((writer) => !isWriter(writer));
  const patch: Record<string, Record<string, unknown>> = {};
  const removed: string[] = [];
  for (const place of places) {
    const [top, inner] = place;
    for (const field of new Set(writers.flatMap((writer) => namesIn(fieldsAt(writer, place))))) {
      if (others.some((other) => fieldsAt(other, [...place, field]) !== undefined)) continue;
      const within = (patch[top] ??= {});
      if (inner === undefined) within[field] = null;
      else within[inner] = { ...(within[inner] as object | undefined), [field]: null };
      removed.push([...place, field].join('.'));
    }
  }
  return { patch, removed };
}

function namesIn(set: FieldSet | undefined): string[] {
  return Object.keys(set ?? {}).flatMap((key) => (key.startsWith('f:') ? [key.slice(2)] : []));
}

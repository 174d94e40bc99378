import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import type { FollowerPart, PlacementFollower } from '../../api/placement-followers.ts';
import { fieldAt } from '../../api/placement-references.ts';
import { formatFieldPath, type FieldPath } from '../../model/field-path.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import type { Cause, ValueChange } from '../change.ts';
import { compareValues } from '../compare-values.ts';

/** What differs in the content that an object distributes. */
export interface Edits {
  readonly causes: readonly Cause[];
  readonly values: readonly ValueChange[];
}

export const noEdits: Edits = { causes: [], values: [] };

/** Returns the differences in the distributed content. */
export function editsOf(
  before: Pick<PlacementFollower, 'parts'>,
  after: Pick<PlacementFollower, 'parts'>,
): Edits {
  const earlier = partsByName(before.parts);
  const later = partsByName(after.parts);
  const causes: Cause[] = [];
  const values: ValueChange[] = [];
  for (const name of new Set([...later.keys(), ...earlier.keys()])) {
    const [from, to] = [earlier.get(name), later.get(name)];
    if (isSame(from, to)) continue;
    const differences = compareValues(from && distributedContent(from), to && distributedContent(to));
    const [first] = differences;
    if (first === undefined) continue;
    const placed = differences.map(({ path, fieldPath, ...sides }): ValueChange => {
      const isInHead = 'after' in sides || from === undefined;
      const part = (isInHead ? to : from) ?? to ?? from;
      return {
        object: name,
        path: [formatFieldPath(part?.path ?? []), path].filter((text) => text !== '').join('.'),
        ...sides,
        side: isInHead ? 'head' : 'base',
        ...(part && { location: part.holder.origin.locate([...part.path, ...fieldPath]) }),
      };
    });
    const [{ side, location } = { side: 'head' as const, location: undefined }] = placed;
    const how = from === undefined ? 'is new' : to === undefined ? 'is gone' : 'was edited';
    causes.push({ kind: 'follower edited', text: `${name} ${how}`, side, ...(location && { location }) });
    values.push(...placed);
  }
  return { causes, values };
}

/** Returns the parts by name. Omits parts without content, such as the overrides of a binding without any. */
function partsByName(parts: readonly FollowerPart[]): ReadonlyMap<string, FollowerPart> {
  return new Map(
    parts
      .filter(({ holder, path }) => fieldAt(holder.object, path) !== undefined)
      .map((part) => [`${part.holder.object.kind} ${nameOf(part.holder)}`, part]),
  );
}

/** Returns `namespace/name`. */
export function nameOf({ object: { metadata } }: Admitted): string {
  return objectKey(metadata.namespace, metadata.name ?? '');
}

/** Compares by identity first: an object that both states read from the same text is one object. */
function isSame(before: FollowerPart | undefined, after: FollowerPart | undefined): boolean {
  return before !== undefined && after !== undefined && before.holder.object === after.holder.object;
}

/** Returns the content of a part, without the fields that only select clusters. */
export function distributedContent({ holder, path, except }: FollowerPart): unknown {
  const content = fieldAt(holder.object, path);
  return except.reduce((value, excluded) => without(value, excluded.slice(path.length)), content);
}

/** Returns a copy without the value at a path. */
function without(value: unknown, [step, ...rest]: FieldPath): unknown {
  if (step === undefined) return undefined;
  if (isJsonList(value) && typeof step === 'number')
    return value.map((entry, index) => (index === step ? without(entry, rest) : entry));
  if (!isJsonMap(value) || typeof step === 'number' || !Object.hasOwn(value, step)) return value;
  const { [step]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [step]: without(inner, rest) };
}

import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

/** A change of a manifest that the API server of the cluster rejects. */
export interface RefusedChange {
  /** The field, and what the API server says about it: `spec.selector is immutable`. */
  readonly words: string;
  readonly hint: string;
}

/** How to change what is immutable. */
export const renameHint =
  'deliver the object under another name, or remove it in one change and add it in the next; CreateOnly keeps the earlier object';

/** A field that the API server does not change. */
export interface ImmutableField {
  readonly path: string;
  /** The value that the API server writes if the field is absent. */
  readonly otherwise?: unknown;
}

/** Returns the immutable fields that differ. */
export function changedFields(
  before: JsonMap,
  after: JsonMap,
  fields: readonly ImmutableField[],
): readonly RefusedChange[] {
  return fields.flatMap(({ path, otherwise }) => {
    const [from, to] = [before, after].map((manifest) =>
      goJson(valueAt(manifest, path) ?? otherwise ?? null),
    );
    return from === to ? [] : [{ words: `${path} is immutable`, hint: renameHint }];
  });
}

/** Returns the map at a path, or an empty one. */
export function mapAt(value: JsonMap, path: string): JsonMap {
  const found = valueAt(value, path);
  return isJsonMap(found) ? found : {};
}

/** Returns the value at a path of names. Undefined if it is absent or null. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.')) found = isJsonMap(found) ? found[step] : undefined;
  return found ?? undefined;
}

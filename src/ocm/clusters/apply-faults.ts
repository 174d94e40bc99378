import { goQuote } from '../../base/go/quote.ts';
import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { Field, undecodable, type FieldFault } from '../../base/validation/field-fault.ts';
import type { MergeShape } from '../../../schemas/kubernetes/merge-types.ts';
import { keyValues, mergedObject, shapeOfField, type MergedField } from './merged-fields.ts';

/**
 * Returns why an API server refuses a manifest of a built-in kind with server-side apply before it validates the object: two items of a
 * list have the same keys, or an item has none. As validatingObjectWalker of structured-merge-diff.
 */
export function applyFaults(manifest: JsonMap): readonly FieldFault[] {
  const { metadata: _, status: __, ...content } = manifest;
  return [...faultsIn({ value: content, shape: mergedObject(manifest).shape }, Field.root)];
}

function* faultsIn({ value, shape }: MergedField, field: Field): Iterable<FieldFault> {
  // what has no shape has no lists with keys
  if (shape === undefined) return;
  if (isJsonMap(value)) {
    for (const [name, child] of Object.entries(value))
      yield* faultsIn({ value: child, shape: shapeOfField(shape, name) }, field.child(name));
    return;
  }
  if (!Array.isArray(value)) return;
  const items: readonly unknown[] = value;
  if (shape.keys !== undefined) {
    yield* faultsInItems(items, shape, field);
    return;
  }
  for (const [index, item] of items.entries())
    yield* faultsIn({ value: item, shape: shape.items }, field.index(index));
}

/** Returns the faults in a list whose items are merged by keys, or by their values. */
function* faultsInItems(items: readonly unknown[], shape: MergeShape, field: Field): Iterable<FieldFault> {
  const { keys = [] } = shape;
  const earlier = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (keys.length > 0 && !isJsonMap(item)) return;
    const values = isJsonMap(item) ? keyValues(item, shape) : [];
    if (keys.length > 0 && values.length === 0) {
      const names = `[${keys.map(goQuote).join(' ')}]`;
      const detail = `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`;
      yield undecodable(field, `element ${index}: ${detail}`);
      return;
    }
    const key =
      keys.length === 0
        ? `=${printed(item)}`
        : values.map(([each, text]) => `${each}=${printed(text)}`).join(',');
    if (earlier.has(key)) yield undecodable(field, `duplicate entries for key [${key}]`);
    earlier.add(key);
    yield* faultsIn({ value: item, shape: shape.items }, field.key(key, [index]));
  }
}

function printed(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : goJson(value);
}

import { goQuote } from '../../base/go/quote.ts';
import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { Field, undecodable, type FieldFault } from '../../base/validation/field-fault.ts';
import { kubernetesKinds } from '../../../schemas/kubernetes/kubernetes.ts';
import { keyValues, mergeKeysOf } from './merged-lists.ts';

/**
 * Returns why an API server refuses a manifest of a built-in kind with server-side apply before it validates the object: two items of a
 * list have the same keys, or an item has none. As validatingObjectWalker of structured-merge-diff.
 */
export function applyFaults(manifest: JsonMap): readonly FieldFault[] {
  const { apiVersion, kind, metadata: _, status: __, ...content } = manifest;
  // the schemas of other kinds are unknown
  const isBuiltIn = kubernetesKinds().byVersion.get(String(apiVersion))?.has(String(kind)) === true;
  if (!isBuiltIn) return [];
  return [...faultsIn(content, '', Field.root)];
}

/** @param name - the name of the field, after that of the field around it */
function* faultsIn(value: unknown, name: string, field: Field): Iterable<FieldFault> {
  if (isJsonMap(value)) {
    const parent = name.split('.').at(-1) ?? '';
    for (const [key, child] of Object.entries(value))
      yield* faultsIn(child, `${parent}.${key}`, field.child(key));
    return;
  }
  if (!Array.isArray(value)) return;
  const items: readonly unknown[] = value;
  const keys = mergeKeysOf(name, items);
  if (keys === undefined) {
    for (const [index, item] of items.entries()) yield* faultsIn(item, '', field.index(index));
    return;
  }
  const earlier = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (!isJsonMap(item)) return;
    const values = keyValues(item, keys);
    if (values.length === 0) {
      const names = `[${keys.map(goQuote).join(' ')}]`;
      const detail = `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`;
      yield undecodable(field, `element ${index}: ${detail}`);
      return;
    }
    const key = values.map(([each, text]) => `${each}=${printed(text)}`).join(',');
    if (earlier.has(key)) yield undecodable(field, `duplicate entries for key [${key}]`);
    earlier.add(key);
    yield* faultsIn(item, '', field.key(key, [index]));
  }
}

function printed(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : goJson(value);
}

import { isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode } from 'yaml';
import type { FieldPath } from '../../model/field-path.ts';
import { keyText } from './scalar-key.ts';
import { resolveScalar } from './yaml-scalar.ts';
import type { YamlTree } from './yaml-tree.ts';
import { isMergeKey, mergeSources } from './yaml-value.ts';

interface Step {
  readonly place: ParsedNode;
  readonly value: ParsedNode | null;
}

/**
 * Returns the offset of a field's key, or of a list item; of the nearest value around it if the field is not written. Follows
 * aliases and merge keys to the position where the field itself is written.
 */
export function offsetInYaml(tree: YamlTree, path: FieldPath): number | undefined {
  let place = tree.contents;
  let value = tree.contents;
  for (const name of path) {
    const step = take(tree, value, name);
    if (step === undefined) break;
    ({ place, value } = step);
  }
  return place?.range[0];
}

function take(tree: YamlTree, from: ParsedNode | null, name: string | number): Step | undefined {
  const node = target(tree, from);
  if (isSeq(node) && typeof name === 'number') {
    const item = node.items[name];
    return item && { place: item, value: item };
  }
  return isMap(node) && typeof name === 'string' ? takeField(tree, node.items, name) : undefined;
}

function takeField(
  tree: YamlTree,
  pairs: readonly Pair<ParsedNode, ParsedNode | null>[],
  name: string,
): Step | undefined {
  // If a key is repeated, the last one counts.
  const direct = pairs.findLast(({ key }) => !isMergeKey(key) && nameOf(tree, key) === name);
  if (direct !== undefined) return { place: direct.key, value: direct.value };
  for (const { key, value } of pairs) {
    if (!isMergeKey(key)) continue;
    const sources = mergeSources(value).toReversed();
    for (const source of sources) {
      const merged = take(tree, source, name);
      if (merged !== undefined) return merged;
    }
  }
  return undefined;
}

function nameOf(tree: YamlTree, key: ParsedNode): string | undefined {
  const node = target(tree, key);
  const scalar = isScalar(node) ? resolveScalar(node) : undefined;
  return scalar && keyText(scalar);
}

function target(tree: YamlTree, node: ParsedNode | null): ParsedNode | null {
  return node !== null && isAlias(node) ? (tree.anchors.get(node) ?? null) : node;
}

import {
  isNode,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Document,
  type Node,
  parseAllDocuments,
  type Range,
} from 'yaml';
import type { FieldPath } from '../../compiler/index.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

/** A part of a text, as offsets in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The field of an object at a position of a YAML text. */
export interface YamlField {
  /** The whole object, as it is written. */
  readonly object: JsonMap;
  /** From the root of the object. For the key of a field, its path too. */
  readonly path: FieldPath;
  /** Whether the position is on the key. */
  readonly isKey: boolean;
  /** The text of the scalar at the position; empty between scalars. */
  readonly text: string;
  /** The range of this scalar; between scalars, an empty range at the position. */
  readonly range: TextRange;
  /** The range of the object. */
  readonly objectRange: TextRange;
}

/** Longer texts are not searched: the answer would come too late. */
const longestText = 2_000_000;

/** Returns the field at an offset of a text with YAML documents; undefined outside of objects, and in texts that are too long. */
export function yamlFieldAt(text: string, offset: number): YamlField | undefined {
  if (text.length > longestText) return undefined;
  for (const document of parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' })) {
    const [start, , end] = document.range;
    const found = offset < start || offset > end ? undefined : fieldIn(document, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldIn(document: Document, offset: number): YamlField | undefined {
  const root = document.contents;
  if (!isMap(root) || !root.range) return undefined;
  const all = plain(document, root);
  if (all === undefined) return undefined;
  const position = descend(root, [], offset);
  const item = all['kind'] === 'List' && position.path[0] === 'items' ? position.path[1] : undefined;
  const items = all['items'];
  const inList = typeof item === 'number' && Array.isArray(items) ? (items[item] as unknown) : undefined;
  const [start, , end] = root.range;
  return isJsonMap(inList)
    ? { ...position, object: inList, path: position.path.slice(2), objectRange: { start, end } }
    : { ...position, object: all, objectRange: { start, end } };
}

/** Returns the value of a document without what aliases would multiply. */
function plain(document: Document, root: Node): JsonMap | undefined {
  try {
    const value: unknown = root.toJS(document, { maxAliasCount: 100 });
    return isJsonMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Position = Pick<YamlField, 'path' | 'isKey' | 'text' | 'range'>;

/** Follows the nodes around an offset to the innermost one. */
function descend(node: unknown, path: FieldPath, offset: number): Position {
  if (isMap(node)) {
    for (const pair of node.items) {
      const { key, value } = pair;
      if (!isScalar(key) || !key.range) continue;
      const inner = [...path, String(key.value)];
      if (contains(key.range, offset)) return { path: inner, isKey: true, ...scalarOf(key, offset) };
      if (isNode(value) && value.range && contains(value.range, offset)) return descend(value, inner, offset);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const value: unknown = isPair(item) ? item.value : item;
      if (isNode(value) && value.range && contains(value.range, offset))
        return descend(value, [...path, index], offset);
    }
  } else if (isScalar(node) && node.range) {
    return { path, isKey: false, ...scalarOf(node, offset) };
  }
  return { path, isKey: false, text: '', range: { start: offset, end: offset } };
}

function scalarOf(
  node: { readonly value: unknown; readonly range?: Range | null },
  offset: number,
): Pick<Position, 'text' | 'range'> {
  const [start, end] = node.range ?? [offset, offset];
  const { value } = node;
  const isWritten = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { text: isWritten ? String(value) : '', range: { start, end } };
}

/** Whether an offset is in a node, or directly after it, where the user types. */
function contains([start, valueEnd, nodeEnd]: Range, offset: number): boolean {
  return offset >= start && offset <= Math.max(valueEnd, nodeEnd - 1);
}

import { compareText } from '../../base/collections/compare-text.ts';
import { literalBlock, yamlNumber, yamlString } from './yaml-scalar.ts';

/** Keys that come first in every mapping. The others follow in code unit order. */
const leading = new Map(
  ['apiVersion', 'kind', 'metadata', 'name', 'namespace'].map((key, rank) => [key, rank]),
);

/** Longer keys cannot be written as `key: value`. */
const longestImplicitKey = 1000;

/**
 * Formats a mapping or list as a YAML document in kubectl's style: block style, lists not indented under their key, keys sorted
 * after apiVersion, kind, metadata, name and namespace. The same value produces the same bytes, regardless of the order of its
 * keys. Undefined fields are omitted. Accepts JSON values and bigint.
 */
export function yamlDocument(value: object): string {
  const inline = inlineValue(value);
  if (inline !== undefined) return `${inline}\n`;
  const lines: string[] = [];
  writeBlock(value, '', lines);
  return `${lines.join('\n')}\n`;
}

/** Returns a value that fits on the line of its key: scalars, empty mappings and lists. */
function inlineValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return yamlString(value);
    case 'number':
    case 'bigint':
      return yamlNumber(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return value.length === 0 ? '[]' : undefined;
      return isEmpty(value) ? '{}' : undefined;
    case 'undefined':
    case 'function':
    case 'symbol':
      break;
  }
  return 'null';
}

function writeBlock(value: unknown, indent: string, lines: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) writeItem(item, indent, lines);
    return;
  }
  const object = value as Record<string, unknown>;
  for (const key of sortedKeys(object)) {
    if (object[key] === undefined) continue;
    const keyText = yamlString(key);
    const head =
      keyText.length > longestImplicitKey ? `${indent}? ${keyText}\n${indent}:` : `${indent}${keyText}:`;
    writeValue(head, object[key], indent, lines);
  }
}

/** @param head - the text before the value: the key or the dash, with its indentation */
function writeValue(head: string, value: unknown, indent: string, lines: string[]): void {
  const block = typeof value === 'string' ? literalBlock(value) : undefined;
  if (block !== undefined) {
    lines.push(`${head} ${block.header}`);
    for (const line of block.lines) lines.push(line === '' ? '' : `${indent}  ${line}`);
    return;
  }
  const inline = inlineValue(value);
  if (inline !== undefined) {
    lines.push(`${head} ${inline}`);
    return;
  }
  lines.push(head);
  // As kubectl: a list has the indentation of its key, a mapping is indented by two more.
  writeBlock(value, Array.isArray(value) ? indent : `${indent}  `, lines);
}

function writeItem(item: unknown, indent: string, lines: string[]): void {
  const dash = `${indent}-`;
  const inner = `${indent}  `;
  if (typeof item === 'string' || inlineValue(item) !== undefined) {
    writeValue(dash, item, indent, lines);
    return;
  }
  // The first line of the item's block moves to the line of the dash.
  const start = lines.length;
  writeBlock(item, inner, lines);
  lines[start] = `${dash} ${(lines[start] ?? '').slice(inner.length)}`;
}

/** Whether an object has no fields, apart from undefined ones. */
function isEmpty(object: object): boolean {
  for (const key in object) {
    if (Object.hasOwn(object, key) && (object as Record<string, unknown>)[key] !== undefined) return false;
  }
  return true;
}

function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  return keys.length < 2 ? keys : keys.sort(compareKeys);
}

function compareKeys(a: string, b: string): number {
  return rank(a) - rank(b) || compareText(a, b);
}

function rank(key: string): number {
  return leading.get(key) ?? leading.size;
}

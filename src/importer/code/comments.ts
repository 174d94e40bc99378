import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import { DiagnosticCollector } from '../../compiler/load/diagnostic-collector.ts';
import type { SourceText } from '../../compiler/load/load.ts';
import { SourceFile } from '../../compiler/load/source-file.ts';
import { splitDocuments } from '../../compiler/load/yaml/split-documents.ts';
import { parseYamlTree } from '../../compiler/load/yaml/yaml-tree.ts';

/** The comments at a field, one entry per line, without `#`. */
export interface Comment {
  readonly path: FieldPath;
  readonly lines: readonly string[];
}

/** The source text and comments of an object in its file. */
export interface ObjectSource {
  readonly comments: readonly Comment[];
  /** The text of its document; undefined if the document has other objects too, or is JSON. */
  readonly text: string | undefined;
}

/** Returns the source of each object of a YAML file, by `line:column` of its location. */
export function objectSources({ file, text }: SourceText): Map<string, ObjectSource> {
  const byKey = new Map<string, ObjectSource>();
  const source = new SourceFile(file, text);
  // comments before the first object of a file, such as a license
  let leadingComments: Comment[] = [];
  for (const { start, end } of splitDocuments(text, new DiagnosticCollector(source))) {
    const slice = text.slice(start, end);
    const tree = parseYamlTree(slice);
    const before = comment([], tree.comments.before);
    if (tree.contents === null) {
      leadingComments.push(...before, ...comment([], tree.comments.after));
      continue;
    }
    const objects = objectsIn(tree.contents);
    for (const [index, node] of objects.entries()) {
      const { line, column } = source.place(start + node.range[0]);
      const inside: Comment[] = [];
      collect(node, [], inside);
      const isOnly = objects.length === 1 && node === tree.contents && !slice.trimStart().startsWith('{');
      byKey.set(`${line}:${column}`, {
        comments: [
          ...(index === 0 ? [...leadingComments, ...before] : []),
          ...inside,
          ...(index === objects.length - 1 ? comment([], tree.comments.after) : []),
        ],
        text: isOnly ? `${slice.replaceAll('\r\n', '\n').trim()}\n` : undefined,
      });
    }
    leadingComments = [];
  }
  return byKey;
}

/** As `findObjects` of the loader: a document, or the items of a list. */
function objectsIn(node: ParsedNode): ParsedNode[] {
  if (!isMap(node)) return [node];
  const field = (name: string): ParsedNode | null | undefined =>
    node.items.find(({ key }) => isScalar(key) && key.value === name)?.value;
  const items = field('items');
  if (field('kind') === undefined || items === undefined || items === null || !isSeq(items)) return [node];
  return items.items.flatMap(objectsIn);
}

function collect(node: ParsedNode | null, path: FieldPath, into: Comment[], isValue = false): void {
  if (node === null) return;
  if (!isValue) into.push(...comment(path, node.commentBefore));
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const field = isScalar(key) ? [...path, String(key.value)] : path;
      into.push(...comment(field, key.commentBefore), ...comment(field, key.comment));
      // a comment between a key and the first entry below it describes that entry
      if (value !== null) into.push(...comment([...field, ...firstStep(value)], value.commentBefore));
      collect(value, field, into, true);
    }
  } else if (isSeq(node)) {
    node.items.forEach((item, index) => collect(item, [...path, index], into));
  }
  into.push(...comment(path, node.comment));
}

/** Returns the path of the first entry of a mapping or list. */
function firstStep(node: ParsedNode): FieldPath {
  if (isSeq(node)) return [0];
  const [first] = isMap(node) ? node.items : [];
  return first !== undefined && isScalar(first.key) ? [String(first.key.value)] : [];
}

function comment(path: FieldPath, text: string | null | undefined): Comment[] {
  if (text === null || text === undefined || text.trim() === '') return [];
  const lines = text.split('\n').map((line) => line.trimEnd().replace(/^ /, ''));
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return [{ path, lines: lines.slice(first, last + 1) }];
}

import { isMap, isNode, isScalar, LineCounter, parseAllDocuments } from 'yaml';
import type { FieldPath } from '../../compiler/index.ts';
import { nestingFault } from '../../compiler/load/nesting.ts';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';

/** A line and a column, from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML document whose fields can be located. */
export interface LocatedYaml {
  readonly value: unknown;
  /** Returns the position of a field, or of the nearest value around it. */
  readonly locate: (path: FieldPath) => Position;
}

/**
 * Returns the documents of a text that kustomize read; none if it is not valid YAML.
 *
 * @param start - the position of the text in its file
 */
export function locatedYaml(text: string, start: Position = { line: 1, column: 1 }): readonly LocatedYaml[] {
  if (nestingFault('', text) !== undefined) return [];
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return [];
  return documents.flatMap((document): LocatedYaml[] => {
    let value: unknown;
    try {
      value = document.toJS({ maxAliasCount: 100 });
    } catch {
      return [];
    }
    const locate = (path: FieldPath): Position => {
      const { line, col } = lines.linePos(offsetOf(document, path));
      return { line: start.line + line - 1, column: start.column + col - 1 };
    };
    return [{ value, locate }];
  });
}

/** Returns the offset of the key of a field, or of an entry of a list; of what is around it if it is not written. */
export function offsetOf(
  document: { getIn(path: FieldPath, keep: true): unknown; contents: unknown },
  path: FieldPath,
): number {
  const { contents } = document;
  let offset = isNode(contents) ? (contents.range?.[0] ?? 0) : 0;
  for (let length = 1; length <= path.length; length++) {
    const inner = path.slice(0, length);
    const around = document.getIn(inner.slice(0, -1), true);
    const key = inner.at(-1);
    const pair = isMap(around)
      ? around.items.find((each) => isScalar(each.key) && each.key.value === key)
      : undefined;
    const node: unknown = pair === undefined ? document.getIn(inner, true) : pair.key;
    if (!isNode(node)) break;
    offset = node.range?.[0] ?? offset;
  }
  return offset;
}

/** Returns the value at a path; undefined if it is not written. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let current = value;
  for (const step of path) {
    if (typeof step === 'number') current = isJsonList(current) ? current[step] : undefined;
    else current = isJsonMap(current) && Object.hasOwn(current, step) ? current[step] : undefined;
  }
  return current;
}

/** Fields by which kustomize and people identify the entries of lists. */
const identifying = [
  'name',
  'key',
  'mountPath',
  'containerPort',
  'port',
  'path',
  'ip',
  'type',
  'topologyKey',
  'group',
];

/**
 * Returns the path in another version of a value: entries of lists are identified by their content, because a patch may insert
 * some.
 */
export function pathIn(other: unknown, value: unknown, path: FieldPath): FieldPath | undefined {
  const result: (string | number)[] = [];
  let [there, here] = [other, value];
  for (const step of path) {
    let otherStep = step;
    if (typeof step === 'number') {
      if (!isJsonList(there) || !isJsonList(here)) return undefined;
      const index = entryLike(here[step], there, here.length === there.length ? step : undefined);
      if (index === undefined) return undefined;
      otherStep = index;
    } else if (!isJsonMap(there) || !Object.hasOwn(there, step)) return undefined;
    there = valueAt(there, [otherStep]);
    here = valueAt(here, [step]);
    result.push(otherStep);
  }
  return result;
}

function entryLike(
  entry: unknown,
  list: readonly unknown[],
  otherwise: number | undefined,
): number | undefined {
  if (isJsonMap(entry)) {
    const field = identifying.find(
      (each) => typeof entry[each] === 'string' || typeof entry[each] === 'number',
    );
    if (field !== undefined) {
      const index = list.findIndex((each) => isJsonMap(each) && each[field] === entry[field]);
      return index < 0 ? undefined : index;
    }
  } else if (!isJsonList(entry)) {
    const index = list.indexOf(entry);
    return index < 0 ? otherwise : index;
  }
  return otherwise;
}

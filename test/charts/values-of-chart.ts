import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import type { CorpusChart } from './corpus.ts';

/** A value in a values.yaml that is neither a map nor a list with content. */
export interface WrittenValue {
  /** From the values of the root chart. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** The file that has it, such as `charts/redis/values.yaml`. */
  readonly file: string;
  /** The lines of the key and of the value, counted from 1. */
  readonly lines: readonly number[];
}

/** Returns the values in the values.yaml of a chart and of the charts in its folder `charts/`. The first that has a value decides it. */
export function writtenValues({ files }: Pick<CorpusChart, 'files'>): WrittenValue[] {
  const found = new Map<string, WrittenValue>();
  for (const [file, charts] of valuesFiles(files))
    for (const each of valuesIn(Buffer.from(files.get(file) ?? []).toString('utf8'), file)) {
      const path = each.path[0] === 'global' ? each.path : [...charts, ...each.path];
      const key = JSON.stringify(path);
      if (!found.has(key)) found.set(key, { ...each, path });
    }
  return [...found.values()];
}

/** The values files, those of outer charts first, with the names below which their values are. */
function valuesFiles(files: CorpusChart['files']): (readonly [file: string, charts: readonly string[]])[] {
  return [...files.keys()]
    .filter((file) => /^(?:charts\/[^/]+\/)*values\.yaml$/.test(file))
    .map((file) => [file, [...file.matchAll(/charts\/([^/]+)\//g)].map(([, name = '']) => name)] as const)
    .toSorted(([, a], [, b]) => a.length - b.length);
}

function valuesIn(text: string, file: string): WrittenValue[] {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, logLevel: 'silent', uniqueKeys: false });
  const values: WrittenValue[] = [];
  const visit = (node: unknown, path: WrittenValue['path'], lines: readonly number[]): void => {
    const own = [...lines, ...lineOf(node as Node | null, counter)];
    if (isMap(node) && node.items.length > 0)
      for (const { key, value } of node.items)
        visit(value, [...path, String(isScalar(key) ? key.value : key)], lineOf(key as Node | null, counter));
    else if (isSeq(node) && node.items.length > 0)
      for (const [index, item] of node.items.entries()) visit(item, [...path, index], []);
    else if (path.length > 0)
      values.push({ path, value: (node as Node | null)?.toJS(document) as unknown, file, lines: own });
  };
  visit(document.contents, [], []);
  return values;
}

function lineOf(node: Node | null | undefined, counter: LineCounter): number[] {
  return node?.range ? [counter.linePos(node.range[0]).line] : [];
}

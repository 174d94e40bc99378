import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import { textOf } from '../gotemplate/index.ts';
import type { ChartNode } from './chart.ts';
import type { Chart } from './load-chart.ts';
import { inFolder } from './loading/load-tree.ts';
import type { ValuePath } from './rendering/value-path.ts';

/** A values.yaml, parsed with its lines. */
interface ParsedValues {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

const parsed = new WeakMap<Uint8Array, ParsedValues>();

/**
 * Returns the file and the line of a chart's default: in the values.yaml of the chart or, if it has none there, in that of the subchart
 * below whose name the value is. Undefined if no values.yaml has the value, such as one that a template adds.
 *
 * @param path - from the values of the root chart
 */
export function valuePlace(
  chart: Chart,
  path: ValuePath,
): { readonly file: string; readonly line: number } | undefined {
  return placeIn(chart.program.root, path);
}

function placeIn(chart: ChartNode, path: ValuePath): ReturnType<typeof valuePlace> {
  const line = lineOf(chart, path);
  if (line !== undefined) return { file: inFolder(chart.folder, 'values.yaml'), line };
  const [first, ...below] = path;
  for (const each of chart.dependencies) {
    const names = [
      each.name,
      ...(chart.metadata.dependencies ?? [])
        .filter((one) => one.chart === each.name)
        .map(({ alias }) => alias),
    ];
    const inside = first === 'global' ? path : below;
    const found = first === 'global' || names.includes(String(first)) ? placeIn(each, inside) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function lineOf({ valuesFile }: ChartNode, path: ValuePath): number | undefined {
  if (valuesFile === undefined || path.length === 0) return undefined;
  let each = parsed.get(valuesFile);
  if (each === undefined) {
    const lines = new LineCounter();
    const document = parseDocument(textOf(valuesFile), {
      lineCounter: lines,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    parsed.set(valuesFile, (each = { document, lines }));
  }
  const node = each.document.getIn(path, true);
  return isNode(node) && node.range ? each.lines.linePos(node.range[0]).line : undefined;
}

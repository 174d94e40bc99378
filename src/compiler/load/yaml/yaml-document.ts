import { isMap, isScalar, isSeq } from 'yaml';
import { readBlockYaml, type BlockDocument } from './block-yaml.ts';
import { reportOddCharacters } from '../characters.ts';
import type { DiagnosticCollector } from '../diagnostic-collector.ts';
import type { Stretch } from '../json/json-scan.ts';
import { tooDeep, tooDeepHint } from '../nesting.ts';
import { reportStrictness } from './yaml-strictness.ts';
import { reportSyntaxError } from './yaml-syntax.ts';
import { parseYamlTree, type YamlTree } from './yaml-tree.ts';
import { readYamlValue } from './yaml-value.ts';

/** One document of a file: its value and its position. */
export interface LocatedDocument extends Stretch {
  readonly value: unknown;
  /** The ranges of the items of the list `items` at the root, if there is one. */
  readonly items: readonly Stretch[] | undefined;
  /** Whether it was read as JSON. The value of an item then depends only on the text of that item. */
  readonly isJson?: boolean;
}

/** Reads a YAML document. Returns undefined, with findings, if it has an error. */
export function readYaml(
  text: string,
  stretch: Stretch,
  findings: DiagnosticCollector,
): LocatedDocument | undefined {
  const slice = text.slice(stretch.start, stretch.end);
  if (reportOddCharacters(slice, stretch.start, findings)) return undefined;
  const block = readBlockYaml(slice);
  if (block !== undefined) return movedFromSlice(block, stretch);
  return readYamlTree(parseYamlTree(slice), slice, stretch, findings);
}

function movedFromSlice(
  { value, start, items }: BlockDocument,
  { start: base, end }: Stretch,
): LocatedDocument {
  const move = (item: Stretch): Stretch => ({ start: base + item.start, end: base + item.end });
  return { value, start: base + start, end, items: items?.map(move) };
}

/** Returns the value of a parsed document. Undefined, with findings, if it has an error. */
export function readYamlTree(
  tree: YamlTree,
  slice: string,
  { start, end }: Stretch,
  findings: DiagnosticCollector,
): LocatedDocument | undefined {
  const [marker] = tree.strayMarkers;
  if (marker !== undefined) {
    const { message, hint } = strayMarkers[marker.kind];
    findings.add('FW1011', start + marker.offset, message, { hint });
    return undefined;
  }
  if (tree.tooDeepAt !== undefined) {
    findings.add('FW1001', start + tree.tooDeepAt, tooDeep, { hint: tooDeepHint });
    return undefined;
  }
  if (tree.errors.length > 0) {
    reportSyntaxError(tree, slice, start, findings);
    return undefined;
  }
  reportStrictness(tree, slice, start, findings);
  const value = readYamlValue(tree, start, findings);
  return { value, start: start + (tree.contents?.range[0] ?? 0), end, items: itemsOf(tree, start) };
}

const strayMarkers = {
  directive: { message: 'kubectl does not support YAML directives', hint: 'remove the line' },
  'document after end marker': {
    message: 'a document follows the end marker ..., where kubectl no longer reads',
    hint: 'separate documents with ---',
  },
};

function itemsOf({ contents }: YamlTree, base: number): Stretch[] | undefined {
  if (!isMap(contents)) return undefined;
  const list = contents.items.find(({ key }) => isScalar(key) && key.value === 'items')?.value;
  if (!isSeq(list)) return undefined;
  return list.items.map(({ range: [start, end] }) => ({ start: base + start, end: base + end }));
}

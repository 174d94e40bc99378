import { isMap, isScalar, isSeq } from 'yaml';
import { parseGoJson } from '../parse-go-json.ts';
import type { Findings } from './findings.ts';
import { scanJson, type JsonDocument, type JsonScan, type Stretch } from './json-scan.ts';
import type { SourceFile } from './source-file.ts';
import { splitDocuments } from './split-documents.ts';
import { reportStrictness } from './yaml-strictness.ts';
import { reportSyntaxError } from './yaml-syntax.ts';
import { parseYamlTree, type YamlTree } from './yaml-tree.ts';
import { readYamlValue } from './yaml-value.ts';

/** One document of a file: its value, and where it stands. */
export interface WrittenDocument extends Stretch {
  readonly value: unknown;
  /** Where the items of the list `items` at the root stand, if there is one. */
  readonly items: readonly Stretch[] | undefined;
}

const byteOrderMark = '\ufeff';

/** Reads the documents of a file, in YAML or JSON; those without a value are left out. */
export function readDocuments({ text }: SourceFile, findings: Findings): WrittenDocument[] {
  return splitDocuments(text, findings).flatMap(({ start, end }) => {
    const stretch = { start: text.startsWith(byteOrderMark, start) ? start + 1 : start, end };
    const documents = startsWithBrace(text, stretch)
      ? readJsonOrYaml(text, stretch, findings)
      : readYaml(text, stretch, findings);
    return documents.filter(({ value }) => value !== null);
  });
}

function startsWithBrace(text: string, { start, end }: Stretch): boolean {
  let at = start;
  while (at < end && /\s/.test(text.charAt(at))) at++;
  return at < end && text[at] === '{';
}

/** as apimachinery YAMLOrJSONDecoder: what begins with a brace may be JSON, and is YAML where it is not */
function readJsonOrYaml(text: string, stretch: Stretch, findings: Findings): WrittenDocument[] {
  const scan = scanJson(text, stretch);
  if (scan.error === undefined) return readJson(text, scan, findings);
  const slice = text.slice(stretch.start, stretch.end);
  const tree = parseYamlTree(slice);
  const [yamlError] = tree.errors;
  // wrong in both languages: the reader that came further knows better what is meant
  if (yamlError !== undefined && scan.error.offset >= stretch.start + yamlError.pos[0]) {
    findings.add('FW1004', scan.error.offset, scan.error.message);
    return [];
  }
  return readYamlTree(tree, slice, stretch, findings);
}

function readJson(text: string, { documents, duplicates }: JsonScan, findings: Findings): WrittenDocument[] {
  for (const { key, first, again } of duplicates) {
    findings.add('FW1003', again, `the key "${key}" stands twice in one object`, {
      hint: 'remove one of the two: kubectl silently takes the last',
      related: { offset: first, message: 'the first one' },
    });
  }
  return documents.map((document) => ({ ...document, value: jsonValue(text, document, findings) }));
}

function jsonValue(text: string, { start, end, special }: JsonDocument, findings: Findings): unknown {
  const json = text.slice(start, end);
  if (!special) return JSON.parse(json);
  const parsed = parseGoJson(json);
  if ('value' in parsed) return parsed.value;
  // the syntax is right: what is left are numbers out of range
  findings.add('FW1004', start, parsed.error);
  return null;
}

function readYaml(text: string, stretch: Stretch, findings: Findings): WrittenDocument[] {
  const slice = text.slice(stretch.start, stretch.end);
  const wrong = forbidden.exec(slice);
  if (wrong !== null) {
    reportCharacter(wrong[0], stretch.start + wrong.index, findings);
    return [];
  }
  return readYamlTree(parseYamlTree(slice), slice, stretch, findings);
}

// as go-yaml readerc.go; besides, what YAML 1.1 counts as a line break and YAML 1.2 does not, lone carriage returns among them
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]|\r(?!\n)/;
const lineBreaks = new Set(['\r', '\u0085', '\u2028', '\u2029']);

function reportCharacter(character: string, offset: number, findings: Findings): void {
  const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (lineBreaks.has(character)) {
    findings.add(
      'FW1012',
      offset,
      `the character ${name} ends a line for kubectl, but not for other readers of YAML`,
      {
        hint: 'end lines with a line feed, and write this character as an escape in double quotes',
      },
    );
  } else {
    findings.add('FW1012', offset, `the control character ${name} cannot stand in YAML`, {
      hint: 'remove it, or write it as an escape in double quotes',
    });
  }
}

function readYamlTree(
  tree: YamlTree,
  slice: string,
  { start, end }: Stretch,
  findings: Findings,
): WrittenDocument[] {
  const [marker] = tree.strayMarkers;
  if (marker !== undefined) {
    findings.add('FW1011', start + marker.offset, strayMarkerMessages[marker.kind], {
      hint: strayMarkerHints[marker.kind],
    });
    return [];
  }
  const [error] = tree.errors;
  if (error !== undefined) {
    reportSyntaxError(error, slice, start, findings);
    return [];
  }
  reportStrictness(tree, slice, start, findings);
  const value = readYamlValue(tree, start, findings);
  return [{ value, start: start + (tree.contents?.range[0] ?? 0), end, items: itemsOf(tree, start) }];
}

const strayMarkerMessages = {
  directive: 'kubectl reads no YAML directives',
  'document after end marker': 'a document stands after the end marker ..., where kubectl no longer reads',
};
const strayMarkerHints = {
  directive: 'remove the line',
  'document after end marker': 'separate documents with ---',
};

function itemsOf({ contents }: YamlTree, base: number): Stretch[] | undefined {
  if (!isMap(contents)) return undefined;
  const list = contents.items.find(({ key }) => isScalar(key) && key.value === 'items')?.value;
  if (!isSeq(list)) return undefined;
  return list.items.map(({ range: [start, end] }) => ({ start: base + start, end: base + end }));
}

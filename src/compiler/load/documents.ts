import { shared, type SharedTexts } from './shared-texts.ts';
import { parseGoJson } from '../../base/json/parse-json.ts';
import { reportOddCharacters } from './characters.ts';
import { DiagnosticCollector } from './diagnostic-collector.ts';
import { SourceFile } from './source-file.ts';
import { scanJson, type JsonDocument, type JsonScan, type Stretch } from './json/json-scan.ts';
import { readPlainJson } from './json/json-reader.ts';
import { tooDeep, tooDeepHint } from './nesting.ts';
import { ownText } from './own-text.ts';
import { splitDocuments } from './yaml/split-documents.ts';
import { readYaml, readYamlTree, type LocatedDocument } from './yaml/yaml-document.ts';
import { parseYamlTree } from './yaml/yaml-tree.ts';

const byteOrderMark = '\ufeff';

/** Reads the documents of a text, in YAML or JSON; documents without a value are left out. */
export function readDocuments(
  text: string,
  findings: DiagnosticCollector,
  sharedTexts?: SharedTexts,
): LocatedDocument[] {
  return splitDocuments(text, findings)
    .flatMap((stretch) =>
      sharedTexts === undefined
        ? readStretch(text, stretch, findings, undefined)
        : recall(text, stretch, findings, sharedTexts),
    )
    .filter(({ value }) => value !== null);
}

function recall(
  text: string,
  stretch: Stretch,
  findings: DiagnosticCollector,
  sharedTexts: SharedTexts,
): readonly LocatedDocument[] {
  const slice = text.slice(stretch.start, stretch.end);
  const earlier = sharedTexts.documents.get(slice);
  if (earlier !== undefined) return earlier.map((document) => moved(document, stretch.start));
  const isPart = slice.length * 2 < text.length;
  if (isPart) {
    // Values are parts of the text from which they are read. Cached ones would keep each version of the file in memory.
    const own = ownText(slice);
    const ownFindings = new DiagnosticCollector(new SourceFile(findings.source.file, own));
    const documents = readStretch(own, { start: 0, end: own.length }, ownFindings, sharedTexts);
    if (ownFindings.diagnostics.length === 0) {
      sharedTexts.documents.set(own, documents);
      return documents.map((document) => moved(document, stretch.start));
    }
  }
  const before = findings.diagnostics.length;
  const documents = readStretch(text, stretch, findings, sharedTexts);
  if (findings.diagnostics.length === before)
    sharedTexts.documents.set(
      slice,
      documents.map((document) => moved(document, -stretch.start)),
    );
  return documents;
}

function moved(document: LocatedDocument, by: number): LocatedDocument {
  const move = ({ start, end }: Stretch): Stretch => ({ start: start + by, end: end + by });
  return by === 0 ? document : { ...document, ...move(document), items: document.items?.map(move) };
}

/** Replaces items that are already known. A fleet is one long list, and a change affects only a few items. */
function withKnownItems(document: LocatedDocument, text: string, { objects }: SharedTexts): LocatedDocument {
  const { value, items: stretches } = document;
  if (stretches === undefined || !hasItems(value)) return document;
  const items = value.items.map((item, index) => {
    const stretch = stretches[index];
    return stretch === undefined ? item : shared(objects, text.slice(stretch.start, stretch.end), item);
  });
  return { ...document, value: { ...value, items } };
}

function hasItems(value: unknown): value is { readonly items: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items);
}

function readStretch(
  text: string,
  { start, end }: Stretch,
  findings: DiagnosticCollector,
  sharedTexts: SharedTexts | undefined,
): readonly LocatedDocument[] {
  const stretch = { start: text.startsWith(byteOrderMark, start) ? start + 1 : start, end };
  if (startsWithBrace(text, stretch)) return readJsonOrYaml(text, stretch, findings, sharedTexts);
  const document = readYaml(text, stretch, findings);
  return document === undefined ? [] : [document];
}

function startsWithBrace(text: string, { start, end }: Stretch): boolean {
  let at = start;
  while (at < end && /\s/.test(text.charAt(at))) at++;
  return at < end && text[at] === '{';
}

/** as apimachinery YAMLOrJSONDecoder: a text that begins with a brace is tried as JSON first, then as YAML */
function readJsonOrYaml(
  text: string,
  stretch: Stretch,
  findings: DiagnosticCollector,
  sharedTexts: SharedTexts | undefined,
): readonly LocatedDocument[] {
  const plain = readPlainJson(text, stretch, sharedTexts?.json, sharedTexts?.objects);
  if (plain !== undefined) return plain.map((document) => ({ ...document, isJson: true }));
  const scan = scanJson(text, stretch);
  if (scan.error === undefined) {
    const documents = readJson(text, scan, findings);
    return sharedTexts === undefined
      ? documents
      : documents.map((document) => withKnownItems(document, text, sharedTexts));
  }
  const slice = text.slice(stretch.start, stretch.end);
  if (reportOddCharacters(slice, stretch.start, findings)) return [];
  const tree = parseYamlTree(slice);
  const yamlError = tree.tooDeepAt ?? tree.errors[0]?.pos[0];
  // invalid in both languages: the file name decides for JSON; otherwise the parser that read further has the better error
  const isJson = findings.source.file.endsWith('.json');
  if (yamlError !== undefined && (isJson || scan.error.offset >= stretch.start + yamlError)) {
    const { offset, message } = scan.error;
    findings.add('FW1004', offset, message, message === tooDeep ? { hint: tooDeepHint } : {});
    return [];
  }
  const document = readYamlTree(tree, slice, stretch, findings);
  return document === undefined ? [] : [document];
}

function readJson(
  text: string,
  { documents, duplicates }: JsonScan,
  findings: DiagnosticCollector,
): LocatedDocument[] {
  for (const { key, first, again } of duplicates) {
    findings.add('FW1003', again, `the key "${key}" is repeated in one object, and the last value is used`, {
      hint: 'remove one of the two',
      related: { offset: first, message: 'the first one' },
    });
  }
  return documents.map((document) => ({
    ...document,
    value: jsonValue(text, document, findings),
    isJson: true,
  }));
}

function jsonValue(
  text: string,
  { start, end, special }: JsonDocument,
  findings: DiagnosticCollector,
): unknown {
  const json = text.slice(start, end);
  if (!special) return JSON.parse(json);
  const parsed = parseGoJson(json);
  if ('value' in parsed) return parsed.value;
  // the syntax is valid: the only remaining errors are numbers out of range
  findings.add('FW1004', start, parsed.error);
  return null;
}

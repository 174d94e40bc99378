import { hasErrors, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { LoadedObject } from '../model/inventory.ts';
import type { Origin } from '../model/origin.ts';
import { inPieces, joined } from '../../base/collections/joined-lists.ts';
import type { SharedTexts } from './shared-texts.ts';
import type { EarlierObjects, LoadedFile, PlacedObject } from './loaded-files.ts';
import { readDocuments } from './documents.ts';
import { FileOrigins, type ReadStretch } from './file-origin.ts';
import { DiagnosticCollector } from './diagnostic-collector.ts';
import { findObjects } from './objects.ts';
import { SourceFile } from './source-file.ts';
import type { SourceText } from './source-text.ts';
import { helmAction, helmTemplate } from './helm-template.ts';
import { isManifest } from './manifest.ts';
import type { LocatedDocument } from './yaml/yaml-document.ts';

export type { SourceText } from './source-text.ts';

/** The objects of several files. */
export interface Loaded extends Outcome<readonly LoadedObject[]> {
  /** The names of files that were found in folders and have no manifest. */
  readonly notManifests: readonly string[];
}

/**
 * Reads Kubernetes objects from YAML and JSON: several documents per file, and lists split into their items. Values are those of
 * YAML 1.2. If kubectl, which reads YAML 1.1, would send the API server another value, a warning reports it. Integers that a
 * double cannot hold exactly are `bigint`. A file with an error returns no objects.
 */
export function load(texts: readonly SourceText[], cache?: SharedTexts): Loaded {
  const values: (readonly LoadedObject[])[] = [];
  const diagnostics: Diagnostic[] = [];
  const notManifests: string[] = [];
  for (const text of texts) {
    const loaded = loadText(text, cache);
    if (loaded === undefined) {
      notManifests.push(text.file);
      continue;
    }
    for (const diagnostic of loaded.diagnostics) diagnostics.push(diagnostic);
    values.push(loaded.value);
  }
  return { value: joined(values, worthKeeping), diagnostics, notManifests };
}

/** The number of objects of a file for which later phases keep results. Many folders have one file per object. */
const worthKeeping = 2;

/** Undefined for a file that was found in a folder and has no manifest. */
function loadText(
  sourceText: SourceText,
  cache: SharedTexts | undefined,
): Outcome<readonly LoadedObject[]> | undefined {
  const loaded =
    cache === undefined
      ? readFile(sourceText, undefined, undefined)
      : cache.files.of(sourceText, (earlier) => readFile(sourceText, cache, earlier));
  return loaded.outcome;
}

function readFile(
  { file, text, source, isFromFolder = false }: SourceText,
  cache: SharedTexts | undefined,
  earlier: EarlierObjects | undefined,
): LoadedFile {
  const sourceFile = new SourceFile(file, text);
  const findings = new DiagnosticCollector(sourceFile);
  const documents = readDocuments(text, findings, cache);
  const placed: PlacedObject[] = [];
  const withOutcome = (outcome: LoadedFile['outcome']): LoadedFile => ({
    outcome,
    placed,
    source: sourceFile,
  });
  const template = hasErrors(findings.diagnostics) ? helmAction(text) : undefined;
  if (template !== undefined)
    return withOutcome({ value: [], diagnostics: [helmTemplate(sourceFile, template)] });
  const isParsed = !hasErrors(findings.diagnostics) && documents.length > 0;
  if (isFromFolder && isParsed && documents.every((document) => !isManifest(document.value)))
    return withOutcome(undefined);
  const origins = new FileOrigins(sourceFile);
  const value: LoadedObject[] = [];
  for (const document of documents) {
    const { objects, faults } = findObjects(document.value);
    for (const { object, path } of objects) {
      const [stretch, inside] = whereabouts(document, path);
      const isRoot = inside.length === 0;
      const known = isRoot ? earlier?.at(object, stretch.start, sourceFile) : undefined;
      const loaded = known ?? { object, origin: originIn(stretch, inside), source };
      if (isRoot) placed.push({ loaded, start: stretch.start });
      value.push(loaded);
    }
    for (const { code, path, message, hint } of faults) {
      const offset = origins.offset(...whereabouts(document, path));
      findings.add(code, offset, message, { path, ...(hint !== undefined && { hint }) });
    }
  }
  return withOutcome({
    value: hasErrors(findings.diagnostics) ? [] : inParts(value),
    diagnostics: findings.diagnostics,
  });

  /** A fleet is seldom edited, and is one part. */
  function inParts(objects: readonly LoadedObject[]): readonly LoadedObject[] {
    return source === 'app' ? inPieces(objects) : objects;
  }

  /** Later versions of the file have most objects in common, and would keep this text in memory for the others. */
  function originIn(stretch: ReadStretch, inside: FieldPath): Origin {
    const { start, end } = stretch;
    if (earlier === undefined || (end - start) * 2 > text.length) return origins.origin(stretch, inside);
    const part = new FileOrigins(sourceFile.part(start, end));
    return part.origin({ ...stretch, start: 0, end: end - start }, inside);
  }
}

/** Returns the smallest independent range of text that contains a value, and the path from there to the value. */
function whereabouts(document: LocatedDocument, path: FieldPath): [ReadStretch, FieldPath] {
  const [root, index] = path;
  const item = root === 'items' && typeof index === 'number' ? document.items?.[index] : undefined;
  return item === undefined ? [document, path] : [{ ...item, isJson: document.isJson }, path.slice(2)];
}

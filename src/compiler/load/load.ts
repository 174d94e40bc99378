import { hasErrors, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { LoadedObject, Source } from '../model/inventory.ts';
import type { SharedTexts } from './shared-texts.ts';
import { readDocuments } from './documents.ts';
import { FileOrigins, type ReadStretch } from './file-origin.ts';
import { DiagnosticCollector } from './diagnostic-collector.ts';
import { findObjects } from './objects.ts';
import { SourceFile } from './source-file.ts';
import { helmAction, helmTemplate } from './helm-template.ts';
import { isManifest } from './manifest.ts';
import type { LocatedDocument } from './yaml/yaml-document.ts';

/** One file to load. */
export interface SourceText {
  /** The name in diagnostics: relative to the current directory of the command. */
  readonly file: string;
  /** The decoded text; see `decodeText`. */
  readonly text: string;
  readonly source: Source;
  /**
   * Whether it was found in a given folder. It may then be something other than a manifest.
   * @default false
   */
  readonly isFromFolder?: boolean;
}

/** The objects of several files. */
export interface Loaded extends Outcome<LoadedObject[]> {
  /** The names of files that were found in folders and have no manifest. */
  readonly notManifests: readonly string[];
}

/**
 * Reads Kubernetes objects from YAML and JSON: several documents per file, and lists split into their items. Values are those of
 * YAML 1.2. If kubectl, which reads YAML 1.1, would send the API server another value, a warning reports it. Integers that a
 * double cannot hold exactly are `bigint`. A file with an error returns no objects.
 */
export function load(texts: readonly SourceText[], cache?: SharedTexts): Loaded {
  const value: LoadedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  const notManifests: string[] = [];
  for (const text of texts) {
    const loaded = loadText(text, cache);
    if (loaded === undefined) {
      notManifests.push(text.file);
      continue;
    }
    for (const diagnostic of loaded.diagnostics) diagnostics.push(diagnostic);
    for (const object of loaded.value) value.push(object);
  }
  return { value, diagnostics, notManifests };
}

/** Undefined for a file that was found in a folder and has no manifest. */
function loadText(
  { file, text, source, isFromFolder = false }: SourceText,
  cache: SharedTexts | undefined,
): Outcome<LoadedObject[]> | undefined {
  const sourceFile = new SourceFile(file, text);
  const findings = new DiagnosticCollector(sourceFile);
  const origins = new FileOrigins(sourceFile);
  const value: LoadedObject[] = [];
  const documents = readDocuments(text, findings, cache);
  const template = hasErrors(findings.diagnostics) ? helmAction(text) : undefined;
  if (template !== undefined) return { value: [], diagnostics: [helmTemplate(sourceFile, template)] };
  const isParsed = !hasErrors(findings.diagnostics) && documents.length > 0;
  if (isFromFolder && isParsed && documents.every((document) => !isManifest(document.value)))
    return undefined;
  for (const document of documents) {
    const { objects, faults } = findObjects(document.value);
    for (const { object, path } of objects)
      value.push({ object, origin: origins.origin(...whereabouts(document, path)), source });
    for (const { code, path, message, hint } of faults) {
      const offset = origins.offset(...whereabouts(document, path));
      findings.add(code, offset, message, { path, ...(hint !== undefined && { hint }) });
    }
  }
  return { value: hasErrors(findings.diagnostics) ? [] : value, diagnostics: findings.diagnostics };
}

/** Returns the smallest independent range of text that contains a value, and the path from there to the value. */
function whereabouts(document: LocatedDocument, path: FieldPath): [ReadStretch, FieldPath] {
  const [root, index] = path;
  const item = root === 'items' && typeof index === 'number' ? document.items?.[index] : undefined;
  return item === undefined ? [document, path] : [{ ...item, isJson: document.isJson }, path.slice(2)];
}

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Diagnostic as EditorDiagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
} from 'vscode-languageserver/node';
import type { FileLocation } from '../../compiler/index.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import { fileLocation } from './placed-in-files.ts';
import type { Failure } from './resident-workspace.ts';
import type { TextPositions } from './text-positions.ts';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

/** What findings are shown with. */
export interface PublishOptions {
  readonly root: string;
  /** Returns the file of findings without a location: an editor shows nothing without a file. Undefined to leave them out. */
  readonly defaultFile: () => string | undefined;
  /** Returns the URL of the page of a code. */
  readonly pageOf: (code: string) => string;
  /** Returns the text of a file that is relative to the root; empty if it cannot be read. */
  readonly textOf: (file: string) => TextPositions;
}

/** Returns the findings as an editor shows them, by file. */
export function publishedFindings(
  findings: readonly Failure[],
  { root, defaultFile, pageOf, textOf }: PublishOptions,
): ReadonlyMap<string, readonly EditorDiagnostic[]> {
  const byFile = new Map<string, EditorDiagnostic[]>();
  for (const finding of findings) {
    const place = finding.location && fileLocation(finding.location);
    const file = place?.file ?? defaultFile();
    if (file === undefined) continue;
    addToGroup(byFile, file, {
      range: rangeOf(place, textOf),
      severity: severities[finding.severity ?? 'error'],
      ...(finding.code && { code: finding.code, codeDescription: { href: pageOf(finding.code) } }),
      source: 'fleetwright',
      message: finding.hint === undefined ? finding.message : `${finding.message}\n${finding.hint}`,
      relatedInformation: (finding.related ?? []).flatMap((related): DiagnosticRelatedInformation[] => {
        const other = related.location && fileLocation(related.location);
        if (other === undefined) return [];
        return [
          {
            message: related.message,
            location: { uri: uriOf(root, other.file), range: rangeOf(other, textOf) },
          },
        ];
      }),
    });
  }
  return byFile;
}

export function uriOf(root: string, file: string): string {
  return pathToFileURL(path.resolve(root, file)).href;
}

export function rangeOf(
  place: FileLocation | undefined,
  textOf: PublishOptions['textOf'],
): EditorDiagnostic['range'] {
  if (place === undefined) return { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  return textOf(place.file).field(place.line, place.column);
}

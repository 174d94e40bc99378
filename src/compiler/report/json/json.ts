import type { Code } from '../../model/codes.ts';
import type { Diagnostic, ObjectReference } from '../../model/diagnostic.ts';
import type { Severity } from '../../model/codes.ts';
import type { Location } from '../../model/origin.ts';
import { jsonText } from './json-text.ts';
import { countSeverities, inReportOrder, type Counts } from '../order.ts';

/** A diagnostic as JSON: the same fields in a fixed order, without fields that are computed on demand. */
export interface DiagnosticJson {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly policy?: string;
  readonly object?: ObjectReference;
  readonly path?: string;
  readonly location?: Location;
  readonly hint?: string;
  readonly related?: readonly { readonly message: string; readonly location?: Location }[];
}

/** The document that `diagnosticsAsJson` writes. */
export interface DiagnosticsDocument {
  readonly diagnostics: readonly DiagnosticJson[];
  /** The number of diagnostics per severity. */
  readonly summary: Counts;
}

/** Formats diagnostics for other programs, in the order of the text, as indented JSON with a trailing line break. */
export function diagnosticsAsJson(diagnostics: readonly Diagnostic[]): string {
  const document: DiagnosticsDocument = {
    diagnostics: inReportOrder(diagnostics).map(diagnosticJson),
    summary: countSeverities(diagnostics),
  };
  return jsonText(document);
}

/** Returns one diagnostic as plain data. */
export function diagnosticJson({
  code,
  severity,
  message,
  policy,
  object,
  path,
  location,
  hint,
  related,
}: Diagnostic): DiagnosticJson {
  return {
    code,
    severity,
    message,
    ...(policy !== undefined && { policy }),
    ...(object !== undefined && { object: objectJson(object) }),
    ...(path !== undefined && { path }),
    ...(location !== undefined && { location: locationJson(location) }),
    ...(hint !== undefined && { hint }),
    ...(related !== undefined &&
      related.length > 0 && {
        related: related.map((place) => ({
          message: place.message,
          ...(place.location !== undefined && { location: locationJson(place.location) }),
        })),
      }),
  };
}

function objectJson({ apiVersion, kind, namespace, name }: ObjectReference): ObjectReference {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

function locationJson(location: Location): Location {
  if ('file' in location) return { file: location.file, line: location.line, column: location.column };
  const { construct, source } = location;
  return {
    construct,
    ...(source !== undefined && { source: { file: source.file, line: source.line, column: source.column } }),
  };
}

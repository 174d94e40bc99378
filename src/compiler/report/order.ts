import { compareText } from '../../base/collections/compare-text.ts';
import type { Diagnostic, ObjectReference } from '../model/diagnostic.ts';
import type { Severity } from '../model/codes.ts';
import type { Location } from '../model/origin.ts';

/**
 * Sorts diagnostics in report order: errors, then warnings, then the others. Within each severity, by file, line and column, then
 * by construct, then those without a location, then by code. Otherwise the original order remains. A cause comes before its
 * consequences, even if it is a warning and the consequence is an error.
 */
export function inReportOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const consequences = consequenceRanks(diagnostics);
  const objects = new Set(
    diagnostics.flatMap(({ object }) => (object === undefined ? [] : [objectText(object)])),
  );
  return diagnostics
    .map((diagnostic) => ({
      diagnostic,
      location: diagnostic.location,
      rank: rankOf(diagnostic, consequences),
      distance: distanceOf(diagnostic, objects),
    }))
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.distance - b.distance ||
        compareLocations(a.location, b.location) ||
        compareText(a.diagnostic.code, b.diagnostic.code),
    )
    .map(({ diagnostic }) => diagnostic);
}

/** Returns the objects that cause other diagnostics, with the rank of the most severe consequence. */
function consequenceRanks(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const { causedBy = [], severity } of diagnostics) {
    for (const object of causedBy) {
      const key = objectText(object);
      positions.set(key, Math.min(positions.get(key) ?? Infinity, severityRanks[severity]));
    }
  }
  return positions;
}

function rankOf({ severity, object }: Diagnostic, consequences: ReadonlyMap<string, number>): number {
  const rank = severityRanks[severity];
  if (object === undefined || severity === 'info') return rank;
  return Math.min(rank, consequences.get(objectText(object)) ?? rank);
}

/**
 * Returns 0 without a cause among the findings, 1 if the same object is the cause, 2 if another object is.
 *
 * @param objects - the objects that have findings
 */
function distanceOf({ object, causedBy = [] }: Diagnostic, objects: ReadonlySet<string>): number {
  const causes = causedBy.map(objectText).filter((cause) => objects.has(cause));
  if (causes.length === 0 || object === undefined) return 0;
  return causes.includes(objectText(object)) ? 1 : 2;
}

/** Returns the text that identifies an object in any version. */
export function objectText({ kind, namespace = '', name }: ObjectReference): string {
  return `${kind} ${namespace}/${name}`;
}

/** The most severe is the lowest. */
export const severityRanks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

function compareLocations(a: Location | undefined, b: Location | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const inFile = 'file' in a;
  if (inFile !== 'file' in b) return inFile ? -1 : 1;
  if ('construct' in a && 'construct' in b) return compareText(a.construct, b.construct);
  if (!('file' in a && 'file' in b)) return 0;
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** The number of diagnostics per severity. */
export type Counts = Readonly<Record<Severity, number>>;

/** Counts diagnostics by severity. */
export function countSeverities(diagnostics: readonly Diagnostic[]): Counts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of diagnostics) counts[severity]++;
  return counts;
}

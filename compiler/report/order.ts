import type { Diagnostic } from '../diagnostic.ts';
import type { Severity } from '../codes.ts';
import type { Location } from '../origin.ts';

/**
 * Diagnostics as they are reported: errors first, then warnings, then the rest; each by file, line and column, then by
 * construct, then those without a place; then by code. What is equal in all of that keeps its order.
 */
export function inReportOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .map((diagnostic) => ({ diagnostic, location: diagnostic.location }))
    .sort(
      (a, b) =>
        ranks[a.diagnostic.severity] - ranks[b.diagnostic.severity] ||
        compareLocations(a.location, b.location) ||
        compareTexts(a.diagnostic.code, b.diagnostic.code),
    )
    .map(({ diagnostic }) => diagnostic);
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

function compareLocations(a: Location | undefined, b: Location | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const inFile = 'file' in a;
  if (inFile !== 'file' in b) return inFile ? -1 : 1;
  if ('construct' in a && 'construct' in b) return compareTexts(a.construct, b.construct);
  if (!('file' in a && 'file' in b)) return 0;
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** By code units, so that the order is the same everywhere. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** How many diagnostics there are of each severity. */
export type Counts = Readonly<Record<Severity, number>>;

/** Counts diagnostics by severity. */
export function countSeverities(diagnostics: readonly Diagnostic[]): Counts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of diagnostics) counts[severity]++;
  return counts;
}

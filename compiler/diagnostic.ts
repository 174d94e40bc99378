import type { Code, Severity } from './codes.ts';
import type { Location } from './origin.ts';

/** Which object something is about. `namespace` is absent for cluster-scoped objects. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Another place that matters to a diagnostic, such as the first of two equal names. */
export interface RelatedPlace {
  readonly message: string;
  readonly location?: Location;
}

/** One finding. Plain data: the phases return it, `report/` turns it into text, JSON or annotations. */
export interface Diagnostic {
  /** Stable, documented in docs/diagnostics/. */
  readonly code: Code;
  readonly severity: Severity;
  /** One sentence without a full stop, naming the value that is wrong. */
  readonly message: string;
  /** The policy of `fleetwright.yaml` that it is about. */
  readonly policy?: string;
  readonly object?: ObjectReference;
  /** The field as the API server writes it: `spec.installStrategy.placements[0].name`. */
  readonly path?: string;
  readonly location?: Location;
  /** What to do about it. Commands are between backticks. */
  readonly hint?: string;
  readonly related?: readonly RelatedPlace[];
  /** Objects whose findings are the cause of this one, and are reported before it. */
  readonly causedBy?: readonly ObjectReference[];
}

/** What every phase returns: its result, as far as there is one, and what it found. */
export interface Outcome<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether any of the findings is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

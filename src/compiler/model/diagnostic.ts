import { codes, type Code, type Severity } from './codes.ts';
import type { Location } from './origin.ts';

/** Identifies an object. `namespace` is absent for cluster-scoped objects. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Another relevant location of a diagnostic, such as the first of two equal names. */
export interface RelatedLocation {
  readonly message: string;
  readonly location?: Location;
}

/** Refers to findings by code, object and field. */
export interface FindingReference {
  readonly codes: readonly Code[];
  readonly object: ObjectReference;
  /**
   * The field that the finding is about, or that contains it.
   *
   * @default - any field
   */
  readonly path?: string;
}

/** One finding as plain data. The phases return it; `report/` prints it as text, JSON or annotations. */
export interface Diagnostic {
  /** Stable; documented in docs/diagnostics/. */
  readonly code: Code;
  readonly severity: Severity;
  /** One sentence without a full stop. It names the wrong value. */
  readonly message: string;
  /** The policy of `fleetwright.yaml` that reports the finding. */
  readonly policy?: string;
  readonly object?: ObjectReference;
  /** The field as the API server writes it: `spec.installStrategy.placements[0].name`. */
  readonly path?: string;
  readonly location?: Location;
  /** The fix. Commands are in backticks. */
  readonly hint?: string;
  readonly related?: readonly RelatedLocation[];
  /** Whether the source line contains a sensitive value, so that reports must not print it. */
  readonly hidesSource?: boolean;
  /** Objects whose findings are the cause of this one. Their findings are reported first. */
  readonly causedBy?: readonly ObjectReference[];
  /** Findings that explain this one: with the cause of any of them, this one disappears as well. Text can fold it below them. */
  readonly explainedBy?: readonly FindingReference[];
}

/** The fields of a diagnostic that its code does not determine. */
export type DiagnosticDetails = Omit<Diagnostic, 'code' | 'severity'>;

/** Creates a diagnostic. The code table has its severity, so that all diagnostics with one code have the same. */
export function diagnostic(code: Code, details: DiagnosticDetails): Diagnostic {
  return { code, severity: codes[code].severity, ...details };
}

/** The return value of every phase: its result, if there is one, and its findings. */
export interface Outcome<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether any of the findings is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

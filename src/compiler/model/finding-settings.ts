import { codes, type Code, type CodeDescription, type Severity } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { FileLocation } from './origin.ts';

/** The severities that a workspace can set for a code. `off` leaves its findings out. */
export const settableSeverities = ['off', 'warning', 'error'] as const;
/** What `findings.severity` sets a code to. */
export type SettableSeverity = (typeof settableSeverities)[number];

/** One finding that a workspace accepts. It is identified as in a plan: by code, object and field, never by its text. */
export interface AcceptedFinding {
  readonly code: Code;
  /** The object as reports print it: `Placement default/prod`. @default - the finding has no object */
  readonly object?: string;
  /** The file of a finding without an object. */
  readonly file?: string;
  /** @default - any field */
  readonly field?: string;
  /** The policy that reports it. @default - any policy */
  readonly policy?: string;
  readonly reason: string;
  /** The last day on which the finding is accepted, such as `2027-01-31`, in UTC. @default - no end */
  readonly until?: string;
  readonly location: FileLocation;
}

/** What a workspace decides about findings. */
export interface FindingSettings {
  readonly accepted: readonly AcceptedFinding[];
  readonly severities: ReadonlyMap<Code, SettableSeverity>;
}

export const noFindingSettings: FindingSettings = { accepted: [], severities: new Map() };

/** Whether an acceptance covers a finding, regardless of its date. */
export function covers(accepted: AcceptedFinding, finding: Diagnostic): boolean {
  const { code, object, path, policy, location } = finding;
  if (code !== accepted.code) return false;
  if (accepted.field !== undefined && accepted.field !== path) return false;
  if (accepted.policy !== undefined && accepted.policy !== policy) return false;
  if (accepted.object !== undefined) return accepted.object === objectName(object);
  const file = location !== undefined && 'file' in location ? location.file : location?.source?.file;
  return object === undefined && accepted.file === file;
}

/** Whether the last day of an acceptance is over. @param now - in milliseconds since the epoch */
export function isExpired({ until }: AcceptedFinding, now: number): boolean {
  return until !== undefined && new Date(now).toISOString().slice(0, until.length) > until;
}

/** Returns a finding with the severity that a workspace sets; undefined if it turns the code off. */
export function withSeverity(
  finding: Diagnostic,
  severities: FindingSettings['severities'],
): Diagnostic | undefined {
  const severity = severities.get(finding.code);
  if (severity === 'off') return undefined;
  return severity === undefined || ranks[severity] <= ranks[finding.severity]
    ? finding
    : { ...finding, severity };
}

/** Why findings of a code cannot be accepted or turned off; undefined if they can. */
export function whyRequired(code: Code, use: 'accept' | 'off'): string | undefined {
  const description: CodeDescription = codes[code];
  if (description.isRequired === true) return `${code} reports what a run left out or which limits changed`;
  // An exception to a rule of the platform team is theirs to make. All other errors make the output wrong or cause damage.
  if (description.severity === 'error' && !(code === 'FW7301' && use === 'accept'))
    return `${code} is an error`;
  return undefined;
}

function objectName(object: Diagnostic['object']): string | undefined {
  if (object === undefined) return undefined;
  const { kind, namespace, name } = object;
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

const ranks: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

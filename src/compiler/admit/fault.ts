import type { Code } from '../model/codes.ts';
import { diagnostic, type Diagnostic, type ObjectReference } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Origin } from '../model/origin.ts';

/** A fault that the API server finds in an object. */
export interface Fault {
  readonly code: Code;
  /** The field that the API server reports: for an invalid label that is `metadata.labels`. */
  readonly field: FieldPath;
  /**
   * The location of the invalid value, if it is more precise than `field`: the label itself.
   * @default `field`
   */
  readonly at?: FieldPath;
  readonly message: string;
  readonly hint?: string;
  /** Another relevant field of the same object. */
  readonly related?: { readonly at: FieldPath; readonly message: string };
}

/** Returns a fault as a finding about its object. */
export function toDiagnostic(fault: Fault, object: ObjectReference, origin: Origin): Diagnostic {
  const { code, field, at = field, message, hint, related } = fault;
  return diagnostic(code, {
    message,
    object,
    ...(field.length === 0 ? {} : { path: fieldName(field) }),
    location: origin.locate(at),
    ...(hint === undefined ? {} : { hint }),
    ...(related === undefined
      ? {}
      : { related: [{ message: related.message, location: origin.locate(related.at) }] }),
  });
}

/**
 * Returns a field as schema validation and strict decoding name it: every key follows a dot, including
 * `node-role.kubernetes.io/infra`, which other parts of Kubernetes would put in brackets (as kube-openapi and apiextensions
 * UnknownFieldPathOptions).
 */
export function fieldName(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

const longest = 80;

/** Returns a value as messages print it: JSON, truncated if it is long. */
export function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value, numberForBigInt);
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

function numberForBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

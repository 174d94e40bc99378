import { codes, type Code } from '../codes.ts';
import type { Diagnostic, ObjectReference } from '../diagnostic.ts';
import type { FieldPath } from '../field-path.ts';
import type { Origin } from '../origin.ts';

/** Something that the API server has against an object. */
export interface Fault {
  readonly code: Code;
  /** The field that the API server blames: for a bad label that is `metadata.labels`. */
  readonly field: FieldPath;
  /** Where the bad value stands, if that says more than `field`: the one label. @default `field` */
  readonly at?: FieldPath;
  readonly message: string;
  readonly hint?: string;
  /** Another field of the same object that matters. */
  readonly related?: { readonly at: FieldPath; readonly message: string };
}

/** A fault as a finding about the object that it was found in. */
export function toDiagnostic(fault: Fault, object: ObjectReference, origin: Origin): Diagnostic {
  const { code, field, at = field, message, hint, related } = fault;
  return {
    code,
    severity: codes[code].severity,
    message,
    object,
    ...(field.length === 0 ? {} : { path: fieldName(field) }),
    location: origin.locate(at),
    ...(hint === undefined ? {} : { hint }),
    ...(related === undefined
      ? {}
      : { related: [{ message: related.message, location: origin.locate(related.at) }] }),
  };
}

/**
 * A field as schema validation and strict decoding name it: every key after a dot, also `node-role.kubernetes.io/infra`,
 * which other parts of Kubernetes would put in brackets (as kube-openapi and apiextensions UnknownFieldPathOptions).
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

/** A value as messages show it: JSON, cut where it is long. */
export function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value, numberForBigInt);
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

function numberForBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

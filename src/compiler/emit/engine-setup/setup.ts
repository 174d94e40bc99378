import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { codes } from '../../model/codes.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { formatFieldPath, type FieldPath } from '../../model/field-path.ts';
import { referenceTo } from '../../model/inventory.ts';
import type { Origin } from '../../model/origin.ts';

/** An object that configures a GitOps engine. */
export interface SetupObject {
  readonly object: KubernetesObject;
  /** The location in a file. @default - the object is on the hub */
  readonly origin?: Origin;
  /** The `healthCheckExprs` that a patch sets. @default - no patch sets them */
  readonly patchedChecks?: readonly unknown[];
}

/** The result of checking the setup of an engine. */
export interface CheckedSetup {
  readonly diagnostics: readonly Diagnostic[];
  /** The number of objects that apply the output. Others are not checked. */
  readonly checked: number;
}

type SetupCode = (`FW906${number}` & keyof typeof codes) | 'FW9093' | 'FW9182' | 'FW9183';

/** Returns a diagnostic for a field of an object. */
export function setupFinding(
  code: SetupCode,
  { object, origin }: SetupObject,
  path: FieldPath,
  message: string,
  hint: string,
): Diagnostic {
  return diagnostic(code, {
    message,
    object: referenceTo(object),
    path: formatFieldPath(path),
    ...(origin && { location: origin.locate(path) }),
    hint,
  });
}

/** Returns a field of untrusted JSON. Undefined if it, or an object around it, is missing. */
export function fieldAt(value: unknown, ...path: FieldPath): unknown {
  return path.reduce<unknown>((holder, step) => {
    if (typeof step === 'number') return isJsonList(holder) ? holder[step] : undefined;
    return isJsonMap(holder) ? holder[step] : undefined;
  }, value);
}

/** Returns a list in untrusted JSON. Empty if the value is not a list. */
export function listAt(value: unknown, ...path: FieldPath): readonly unknown[] {
  const list = fieldAt(value, ...path);
  return isJsonList(list) ? list : [];
}

/** Returns `Application "hello"`. */
export function nameOf({ object }: SetupObject): string {
  return `${object.kind} "${object.metadata.name ?? ''}"`;
}

import type { Code } from '../model/codes.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { LoadedObject } from '../model/inventory.ts';
import { pointAt } from '../model/point-at.ts';

/** Reports a fault at a path of an object. */
export type ReportFault = (code: Code, path: FieldPath, message: string, hint?: string) => void;

/** Returns a function that adds faults of an object to diagnostics. */
export function faultsOf(loaded: LoadedObject, diagnostics: Diagnostic[]): ReportFault {
  return (code, path, message, hint) => {
    diagnostics.push(
      diagnostic(code, { message, ...pointAt(loaded, path), ...(hint !== undefined && { hint }) }),
    );
  };
}

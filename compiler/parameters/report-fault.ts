import type { Code } from '../codes.ts';
import { diagnostic, type Diagnostic } from '../diagnostic.ts';
import type { FieldPath } from '../field-path.ts';
import type { LoadedObject } from '../inventory.ts';
import { pointAt } from '../point-at.ts';

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

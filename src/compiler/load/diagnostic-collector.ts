import type { Code } from '../model/codes.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { formatFieldPath, type FieldPath } from '../model/field-path.ts';
import type { SourceFile } from './source-file.ts';

/** The details of a diagnostic besides its message. */
export interface DiagnosticAtOffset {
  /** The path from the root of the document. */
  readonly path?: FieldPath;
  readonly hint?: string;
  /** Another location in the same file. */
  readonly related?: { readonly offset: number; readonly message: string };
}

/** Collects the diagnostics of one file, each at an offset in its text. */
export class DiagnosticCollector {
  readonly diagnostics: Diagnostic[] = [];
  readonly source: SourceFile;

  constructor(source: SourceFile) {
    this.source = source;
  }

  add(
    code: Code,
    offset: number,
    message: string,
    { path = [], hint, related }: DiagnosticAtOffset = {},
  ): void {
    this.diagnostics.push(
      diagnostic(code, {
        message,
        ...(path.length > 0 && { path: formatFieldPath(path) }),
        location: this.source.place(offset),
        ...(hint !== undefined && { hint }),
        ...(related !== undefined && {
          related: [{ message: related.message, location: this.source.place(related.offset) }],
        }),
      }),
    );
  }
}

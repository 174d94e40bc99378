import type { Diagnostic } from '../compiler/index.ts';

/**
 * A failure of the command that has a code and usually a location. It is reported as a finding, and the exit code is
 * 2.
 */
export class DiagnosedError extends Error {
  readonly diagnostic: Diagnostic;
  /** Texts that the location points into, by their names. */
  readonly texts: ReadonlyMap<string, string>;

  constructor(diagnostic: Diagnostic, texts: ReadonlyMap<string, string> = new Map()) {
    super(diagnostic.message);
    this.name = 'DiagnosedError';
    this.diagnostic = diagnostic;
    this.texts = texts;
  }
}

import type { Diagnostic } from '../compiler/diagnostic.ts';

/** Nothing could be done, for a reason that has a code and mostly a place: it is told as a finding, and the exit code is 2. */
export class DiagnosedFailure extends Error {
  readonly diagnostic: Diagnostic;
  /** Texts that the place is in, by their names. */
  readonly texts: ReadonlyMap<string, string>;

  constructor(diagnostic: Diagnostic, texts: ReadonlyMap<string, string> = new Map()) {
    super(diagnostic.message);
    this.name = 'DiagnosedFailure';
    this.diagnostic = diagnostic;
    this.texts = texts;
  }
}

import type { Code } from '../../compiler/codes.ts';
import type { Diagnostic } from '../../compiler/diagnostic.ts';

/** Why nothing could be read from a hub. */
export type HubFailure = Extract<Code, 'FW9004' | 'FW9005' | 'FW9006' | 'FW9007' | 'FW9008' | 'FW9012'>;

/** A hub cannot be read: a diagnostic, and exit code 2, since nothing is wrong with what was asked about. */
export class HubError extends Error {
  readonly diagnostic: Diagnostic;

  constructor(code: HubFailure, message: string, hint: string) {
    super(message);
    this.name = 'HubError';
    this.diagnostic = { code, severity: 'error', message, hint };
  }
}

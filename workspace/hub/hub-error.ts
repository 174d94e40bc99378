import type { Code } from '../../compiler/codes.ts';
import { diagnostic } from '../../compiler/diagnostic.ts';
import { DiagnosedFailure } from '../diagnosed-failure.ts';

/** The reasons why nothing could be read from a hub. */
export type HubFailure = Extract<
  Code,
  'FW9004' | 'FW9005' | 'FW9006' | 'FW9007' | 'FW9008' | 'FW9012' | 'FW9034'
>;

/** A hub cannot be read. The inputs of the command may be correct. */
export class HubError extends DiagnosedFailure {
  constructor(code: HubFailure, message: string, hint: string) {
    super(diagnostic(code, { message, hint }));
    this.name = 'HubError';
  }
}

/** Returns the error for a hub that sends more data than any hub has. */
export function beyondLimits(message: string): HubError {
  return new HubError('FW9034', message, 'is that the address of the hub? A proxy may answer in its place');
}

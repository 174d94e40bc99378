import type { TargetHub } from '../../compiler/index.ts';

/** The hub and the time that inputs are compiled for. */
export interface CompileTarget extends TargetHub {
  /** Milliseconds since the epoch, if the user set the time. */
  readonly now: number | undefined;
}

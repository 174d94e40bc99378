import type { Severity } from './diagnostic.ts';

/** What a code stands for; its page is docs/diagnostics/<code>.md. */
export interface CodeDescription {
  /** A short noun phrase, the title of the page. */
  readonly title: string;
  /** The severity that its diagnostics have. */
  readonly severity: Severity;
}

/**
 * Every diagnostic code. The first digit is the phase: 1 load, 2 admit, 3 place, 4 configure, 5 rollout, 6 render,
 * 7 rules across objects (check), 8 emit and plan, 9 the command line. Codes are never used again for something else.
 */
export const codes = {
  // load
  // admit
  // place
  // configure
  // rollout
  // render
  // check
  // emit, plan
  // command line
} as const satisfies Record<string, CodeDescription>;

export type Code = keyof typeof codes;

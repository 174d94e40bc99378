/** The phases of one state of the inputs; `compare` reads two states. */
export type Phase =
  'load' | 'admit' | 'place' | 'parameters' | 'configure' | 'rollout' | 'render' | 'check' | 'compare';

/**
 * Runs the work of a phase and returns its result. Phases read no clock and print nothing. The caller can measure their duration,
 * or report progress, before and after the work.
 */
export type PhaseRunner = <T>(phase: Phase, work: () => T) => T;

/** Only runs the work. */
export const unwatched: PhaseRunner = (_phase, work) => work();

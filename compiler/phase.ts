/** The phases that one state of the inputs goes through; `compare` takes two. */
export type Phase = 'load' | 'admit' | 'place' | 'configure' | 'rollout' | 'render' | 'check' | 'compare';

/**
 * Runs the work of a phase and returns its result. Phases know no clock and print nothing: who calls them measures how long
 * they take, or says that they go on, by what this does before and after.
 */
export type PhaseRunner = <T>(phase: Phase, work: () => T) => T;

/** Only does the work. */
export const unwatched: PhaseRunner = (_phase, work) => work();

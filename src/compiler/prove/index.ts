/** Invariants: what holds for every cluster that may exist, and after every edit of one. `prove` decides them, and never by trying. */
export { checkInvariant } from './check-invariant.ts';
export type { Invariant, WrittenCondition, WrittenInvariant, WrittenValues } from './invariant.ts';
export { comparedProofs, proofFindings } from './proof-findings.ts';
export { counterexampleWords, effectWords, joined, obstacleWords } from './proof-words.ts';
export type { LabelEffect } from './label-effects.ts';
export { effectsOfEdits, prove, type Counterexample, type ProofVerdict, type ProvedState } from './prove.ts';

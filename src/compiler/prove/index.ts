/** Invariants: what holds for every cluster that may exist, and after every edit of one. `prove` decides them for all classes of clusters. */
export { checkInvariant } from './check-invariant.ts';
export type {
  EditedKind,
  Invariant,
  WrittenCondition,
  WrittenInvariant,
  WrittenValues,
} from './invariant.ts';
export { comparedProofs, proofFindings } from './proof-findings.ts';
export { counterexampleWords, effectWords, obstacleWords } from './proof-words.ts';
export type { LabelEffect } from './label-effects.ts';
export { effectsOfEdits, prove } from './prove.ts';
export type { ProofVerdict } from './verdict.ts';

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
export { counterexampleWords, effectWords, joined, obstacleWords } from './proof-words.ts';
export type { LabelEffect } from './label-effects.ts';
export { effectsOfEdits, prove, type ProofVerdict } from './prove.ts';

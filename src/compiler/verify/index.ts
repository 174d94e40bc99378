/** The questions to a hub, and its answers compared with the prediction. `verify` asks them. */
export { comparePlacement } from './compare-placement.ts';
export { readServerAnswer, type PlacementAnswer, type ServerAnswer } from './placement-answer.ts';
export { Seeded } from './seeded.ts';
export { simulator, type AskedClusters, type ScheduledObjects, type Simulate } from './simulate.ts';
export { variationOf } from './variations.ts';
export { countAnswers } from './verification.ts';
export type {
  AnswerCounts,
  Difference,
  Disagreement,
  SubjectKind,
  Unasked,
  Verification,
  VerifiedSubject,
} from './verification.ts';
export { vocabularyOf, type Vocabulary } from './vocabulary.ts';
export { mutatorsOf } from './admission.ts';
export { compareStored } from './compare-stored.ts';
export { refusalOf, type Refusal } from './refusal.ts';

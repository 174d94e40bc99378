/** The questions to a hub, and its answers compared with the prediction. The command verify asks them. */
export { comparePlacement } from './compare-placement.ts';
export { readServerAnswer, type PlacementAnswer } from './placement-answer.ts';
export { Seeded } from './seeded.ts';
export { simulator, type ScheduledObjects, type Simulate } from './simulate.ts';
export { variationOf } from './variations.ts';
export { countAnswers } from './verification.ts';
export type {
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
export { releaseOf, type HubRelease, type Product } from './releases.ts';
export { refusalOf } from './refusal.ts';
export { compareState, type ComparedNames } from './compare-state.ts';
export {
  compareRendered,
  compareRenderedObject,
  differentObject,
  renderedObject,
  type RenderedObject,
} from './rendered-objects.ts';
export { unaskedForWaves, waitingClusters, type WaitingClusters } from './waiting-clusters.ts';

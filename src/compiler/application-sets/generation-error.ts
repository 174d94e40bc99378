/** Why Argo CD generates nothing: the controller reports the error, and leaves all Applications as they are. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
}

/** The error of a generator of decisions without PlacementDecisions. */
export const noDecisions = 'no clusterDecisionResources found';

/** A part of an ApplicationSet whose result the inputs do not decide, or that is not evaluated here. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  /** `the git generator`. */
  readonly part: string;

  constructor(part: string) {
    super(`${part} is not evaluated`);
    this.part = part;
  }
}

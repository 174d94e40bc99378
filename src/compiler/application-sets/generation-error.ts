/** Why Argo CD generates nothing: the controller reports the error, and leaves all Applications as they are. */
export class GenerationError extends Error {
  override readonly name: string = 'GenerationError';
}

/** An error that ends the pass of the controller, so that it does not even report the error. */
export class ControllerPanic extends GenerationError {
  override readonly name = 'ControllerPanic';
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

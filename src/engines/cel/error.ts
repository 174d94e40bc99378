/** An evaluation error. It is a result, not an exception. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A panic of the hub, for example for a map key that Go cannot hash. It ends the whole evaluation; no operator absorbs it. */
export class CelPanic extends Error {}

/** Thrown if the hub's result depends on unknown or missing information; the message names it. */
export class CannotTell extends Error {}

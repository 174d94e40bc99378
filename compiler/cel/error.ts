/** An evaluation error. It is a result, not an exception. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A panic of the hub, such as for a map key that Go cannot hash: it ends the whole evaluation, nothing absorbs it. */
export class CelPanic extends Error {}

/** Thrown where the hub's answer depends on what we cannot know or do not have; the message says on what. */
export class CannotTell extends Error {}

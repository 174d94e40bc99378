/** Fleetwright was used incorrectly, or something outside of it failed: a message without a stack. Commands exit with 2. */
export class UserError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UserError';
    this.hint = hint;
  }
}

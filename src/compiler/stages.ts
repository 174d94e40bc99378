import { hasErrors, type Diagnostic, type Outcome } from './model/diagnostic.ts';

/** Stages that run in order. Each adds its value to the state, where later stages read it, and its findings to those of all. */
export class Stages<State extends object> {
  readonly #state: State | undefined;
  readonly #diagnostics: readonly Diagnostic[];

  constructor(state: State | undefined, diagnostics: readonly Diagnostic[] = []) {
    this.#state = state;
    this.#diagnostics = diagnostics;
  }

  /** Runs a stage, unless the list has ended. `name` is the key of its value in the state. */
  add<Name extends string, Value>(
    name: Name,
    stage: (state: State) => Outcome<Value>,
  ): Stages<State & Readonly<Record<Name, Value>>> {
    if (this.#state === undefined)
      return new Stages<State & Record<Name, Value>>(undefined, this.#diagnostics);
    const { value, diagnostics } = stage(this.#state);
    const added = { [name]: value } as Record<Name, Value>;
    return new Stages({ ...this.#state, ...added }, [...this.#diagnostics, ...diagnostics]);
  }

  /** Ends the list if a stage reported an error: what later stages would compute from its value is unreliable. */
  unlessErrors(): Stages<State> {
    return hasErrors(this.#diagnostics) ? new Stages<State>(undefined, this.#diagnostics) : this;
  }

  /** Returns the last state and all findings. The state is undefined if the list has ended early. */
  end(): Outcome<State | undefined> {
    return { value: this.#state, diagnostics: this.#diagnostics };
  }
}

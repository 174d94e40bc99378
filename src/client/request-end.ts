/**
 * Ends a request early: by a signal, or by a timeout. Signals outlive requests by far, and AbortSignal.any would leak
 * some memory per request, so this class listens itself, and stops listening when the request is over.
 */
export class RequestEnd {
  readonly #signals: readonly AbortSignal[];
  readonly #timer: NodeJS.Timeout;
  readonly #handlers = new Set<(why: Error) => void>();
  #why: Error | undefined;

  /** @param patience - the timeout until `began` is called, in milliseconds */
  constructor(signals: readonly AbortSignal[], patience: number) {
    this.#signals = signals;
    this.#timer = setTimeout(
      () => this.#end(new Error(`timed out: no response for ${patience / 1000} s`)),
      Math.min(patience, 2 ** 31 - 1),
    );
    for (const signal of signals) signal.addEventListener('abort', this.#abort);
    if (signals.some(({ aborted }) => aborted)) this.#abort();
  }

  /** Returns the result of the work, unless the request ends before. */
  async before<T>(work: Promise<T>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const stop = this.onEnd(reject);
      work.then(resolve, reject).finally(stop);
    });
  }

  /** Calls the handler when the request ends, immediately if it has ended. @returns a function that removes the handler */
  onEnd(handler: (why: Error) => void): () => void {
    if (this.#why !== undefined) handler(this.#why);
    else this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Marks the beginning of the answer: from now on only signals end the request. */
  began(): void {
    clearTimeout(this.#timer);
  }

  /** Marks the request as finished. */
  release(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#abort);
    this.#handlers.clear();
  }

  readonly #abort = (): void => this.#end(new Error('aborted'));

  #end(why: Error): void {
    this.#why ??= why;
    for (const handler of this.#handlers) handler(this.#why);
    this.release();
  }
}

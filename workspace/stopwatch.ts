import type { Phase } from '../compiler/index.ts';
import type { Host } from './host.ts';

/** The steps that a command measures: the compiler's phases, and the steps that only a command has. */
export type Step =
  | Phase
  | 'check out'
  | 'read'
  | 'read the hub'
  | 'build kustomizations'
  | 'run the app'
  | 'report'
  | 'emit'
  | 'write';

/**
 * Measures the steps of a command, and shows the current one on a terminal. Times of steps with the same name are
 * added. Steps are not nested.
 */
export class Stopwatch {
  readonly #host: Host;
  readonly #prefix: string;
  /** Milliseconds by step, in the order in which they began. */
  readonly #times: Map<string, number>;

  constructor(host: Host, prefix = '', times = new Map<string, number>()) {
    this.#host = host;
    this.#prefix = prefix;
    this.#times = times;
  }

  /** Measures the steps of one of several states separately; `times` has them together. */
  of(part: string): Stopwatch {
    return new Stopwatch(this.#host, `${this.#prefix}${part}: `, this.#times);
  }

  /** Begins a step. The returned function ends it, and does nothing if it is called again. */
  begin(step: Step): () => void {
    const { progress, meter } = this.#host;
    const name = this.#prefix + step;
    progress?.(`${name} …`);
    const started = meter?.elapsed() ?? 0;
    this.#times.set(name, this.#times.get(name) ?? 0);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#times.set(name, (this.#times.get(name) ?? 0) + (meter?.elapsed() ?? 0) - started);
      progress?.('');
    };
  }

  /** Measures a step; a `PhaseRunner`. */
  readonly run = <T>(step: Step, work: () => T): T => {
    const end = this.begin(step);
    try {
      return work();
    } finally {
      end();
    }
  };

  async wait<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const end = this.begin(step);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Milliseconds by step, in the order in which the steps began. */
  get times(): ReadonlyMap<string, number> {
    return this.#times;
  }
}

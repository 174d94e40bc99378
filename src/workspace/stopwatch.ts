import type { Phase, Resolution } from '../compiler/index.ts';
import type { Host } from './host.ts';

/** The steps that a command measures: the compiler's phases, and the steps that only a command has. */
export type Step =
  | Phase
  | 'check out'
  | 'read'
  | 'read the hub'
  | 'build kustomizations'
  | 'run the app'
  | 'prove'
  | 'promote'
  | 'report'
  | 'emit'
  | 'write';

/** How many add-ons on clusters there are, and how many of them have different configurations. */
export interface ClassCount {
  readonly classes: number;
  readonly addOns: number;
}

/**
 * Measures the steps of a command, and shows the current one on a terminal. Times of steps with the same name are
 * added. Steps are not nested.
 */
export class Stopwatch {
  readonly #host: Host;
  readonly #prefix: string;
  /**
   * Adds the classes of a resolved state: an add-on on all clusters with the same configuration from the same levels. Not of a command
   * without a meter, which reports no figures.
   */
  count({ configuration }: Pick<Resolution, 'configuration'>): void {
    if (this.#host.meter === undefined) return;
    const name = `${this.#prefix}classes`;
    let { classes, addOns } = this.#classes.get(name) ?? { classes: 0, addOns: 0 };
    for (const { clusters } of configuration.values()) {
      classes += new Set(clusters.parts().map(({ effective }) => effective)).size;
      addOns += clusters.size;
    }
    this.#classes.set(name, { classes, addOns });
  }

  /** The classes by state. */
  get classes(): ReadonlyMap<string, ClassCount> {
    return this.#classes;
  }

  /** Milliseconds by step, in the order in which they began. */
  readonly #times: Map<string, number>;
  readonly #classes: Map<string, ClassCount>;

  constructor(
    host: Host,
    prefix = '',
    times = new Map<string, number>(),
    classes = new Map<string, ClassCount>(),
  ) {
    this.#host = host;
    this.#prefix = prefix;
    this.#times = times;
    this.#classes = classes;
  }

  /** Measures the steps of one of several states separately; `times` has them together. */
  of(part: string): Stopwatch {
    return new Stopwatch(this.#host, `${this.#prefix}${part}: `, this.#times, this.#classes);
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

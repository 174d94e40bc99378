import type { Phase } from '../compiler/phase.ts';
import type { Terminal } from './terminal.ts';

/** The steps that a command measures: the compiler's phases, and the steps that only a command has. */
export type Step =
  Phase | 'check out' | 'read' | 'read the hub' | 'run the app' | 'report' | 'emit' | 'write';

/**
 * Measures the steps of a command, and shows the current one on a terminal. Times of steps with the same name are
 * added. Steps are not nested.
 */
export class Stopwatch {
  readonly #terminal: Terminal;
  readonly #prefix: string;
  /** Milliseconds by step, in the order in which they began. */
  readonly #times: Map<string, number>;

  constructor(terminal: Terminal, prefix = '', times = new Map<string, number>()) {
    this.#terminal = terminal;
    this.#prefix = prefix;
    this.#times = times;
  }

  /** Measures the steps of one of several states separately; `print` reports them together. */
  of(part: string): Stopwatch {
    return new Stopwatch(this.#terminal, `${this.#prefix}${part}: `, this.#times);
  }

  /** Begins a step. The returned function ends it, and does nothing if it is called again. */
  begin(step: Step): () => void {
    const { progress, meter } = this.#terminal;
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

  /** Prints the time of each step, and the peak memory. */
  print(): void {
    const { meter } = this.#terminal;
    if (meter === undefined) return;
    const total = meter.elapsed();
    const rest = total - [...this.#times.values()].reduce((sum, time) => sum + time, 0);
    const rows = [...this.#times, ['start and everything else', rest], ['total', total]] as const;
    const width = Math.max(...rows.map(([name]) => name.length));
    const lines = rows.map(([name, time]) => `  ${name.padEnd(width)}  ${seconds(time).padStart(8)}`);
    this.#terminal.err(
      `timings\n${lines.join('\n')}\n  memory: ${Math.round(meter.peakMemory() / 1e6)} MB at most\n`,
    );
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

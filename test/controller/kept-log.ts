import type { Log } from '../../controller/operation/log.ts';

/** A log that keeps what was said. */
export class KeptLog implements Log {
  readonly lines: string[];

  constructor(lines: string[] = []) {
    this.lines = lines;
  }

  child(): Log {
    return new KeptLog(this.lines);
  }

  readonly debug = this.#keep('debug');
  readonly info = this.#keep('info');
  readonly warn = this.#keep('warn');
  readonly error = this.#keep('error');

  #keep(level: string) {
    return (fields: unknown, message?: string): void => {
      this.lines.push(`${level} ${message ?? ''} ${JSON.stringify(fields)}`);
    };
  }
}

import type { Log } from '../../src/controller/operation/log.ts';

/** A log that records its lines. */
export class RecordingLog implements Log {
  readonly lines: string[];

  constructor(lines: string[] = []) {
    this.lines = lines;
  }

  child(): Log {
    return new RecordingLog(this.lines);
  }

  readonly debug = this.#record('debug');
  readonly info = this.#record('info');
  readonly warn = this.#record('warn');
  readonly error = this.#record('error');

  #record(level: string) {
    return (fields: unknown, message?: string): void => {
      this.lines.push(`${level} ${message ?? ''} ${JSON.stringify(fields)}`);
    };
  }
}

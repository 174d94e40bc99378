import type { AppRunners } from './app/app-runners.ts';

/** The input and output of a command: the process in real use, strings in tests. */
export interface Terminal {
  /** The folder that relative paths are relative to. */
  readonly cwd: string;
  /** Milliseconds since the epoch; read once per command. */
  now(): number;
  /** All bytes of standard input, unchanged. */
  readInput(): Promise<Uint8Array>;
  /** Writes results, which go to a pipe. */
  out(text: string): void;
  /**
   * Waits until the reader of the results has room for more, and ends the command if the reader has closed the pipe.
   * For results that are written in many parts. @default - there is always room
   */
  readonly taken?: () => Promise<void>;
  /** Writes findings, progress and errors, which a person reads. */
  err(text: string): void;
  /** Whether `err` is a terminal that shows colors. */
  readonly color: boolean;
  /** Whether `out` is a terminal that shows colors. */
  readonly colorOut?: boolean;
  /** Shows the progress in place of the previous text; nothing for an empty text. Absent in CI and in pipes. */
  readonly progress?: (text: string) => void;
  /**
   * Prompts for a line; returns the default if the line is empty. Absent without an interactive terminal.
   *
   * @throws CommandError if the user ends the input instead.
   */
  readonly ask?: (question: string, defaultAnswer: string) => Promise<string>;
  /** The environment variables. @default - none are set */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The number of columns of `out`, if it is a terminal. */
  readonly columns?: number;
  /**
   * Runs the apps, with one process per state of the repository.
   * @default - each reading of inputs has its own processes
   */
  readonly apps?: AppRunners;
  /** The resource usage of the command. */
  readonly meter?: Meter;
}

export interface Meter {
  /** Milliseconds since the process started. */
  elapsed(): number;
  /** The peak memory of the process, in bytes. */
  peakMemory(): number;
}

/** Exit codes of every command. */
export const exitCode = { clean: 0, findings: 1, failure: 2 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The command was used incorrectly, or something outside of it failed: a message without a stack, and exit code 2. */
export class CommandError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'CommandError';
    this.hint = hint;
  }
}

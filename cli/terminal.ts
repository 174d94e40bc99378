import type { AppRunners } from './app/app-runners.ts';

/** Where a command reads and writes: the process in real use, strings in tests. */
export interface Terminal {
  /** The folder that relative paths are read from. */
  readonly cwd: string;
  /** Milliseconds since the epoch; read once a command. */
  now(): number;
  /** Everything on standard input, as it came. */
  readInput(): Promise<Uint8Array>;
  /** Results: what a pipe should see. */
  out(text: string): void;
  /**
   * Waits until the reader of the results has room for more, and ends the command where there is none any more. For results
   * that are written in many parts. @default - there is always room
   */
  readonly taken?: () => Promise<void>;
  /** Findings, progress, errors: what a person should see. */
  err(text: string): void;
  /** Whether `err` is a terminal that shows colours. */
  readonly color: boolean;
  /** Whether `out` is one. */
  readonly colorOut?: boolean;
  /** Shows what goes on, in place of what was shown before; nothing for an empty text. Absent in CI and in pipes. */
  readonly progress?: (text: string) => void;
  /**
   * Asks for a line; the default where nothing is typed. Absent where nobody sits at a terminal.
   *
   * @throws CommandError where the user leaves instead.
   */
  readonly ask?: (question: string, defaultAnswer: string) => Promise<string>;
  /** The variables of the environment. @default - none are set */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How many columns `out` has, where it is a terminal. */
  readonly columns?: number;
  /**
   * Runs the apps, in a process for each state of the repository.
   * @default - each reading of inputs has its own
   */
  readonly apps?: AppRunners;
  /** What the command has used so far. */
  readonly meter?: Meter;
}

export interface Meter {
  /** Milliseconds since the process started. */
  elapsed(): number;
  /** Bytes that the process had in memory at most. */
  peakMemory(): number;
}

/** Exit codes of every command. */
export const exitCode = { clean: 0, findings: 1, failure: 2 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The command was called wrongly, or something outside of it failed: a message without a stack, and exit code 2. */
export class CommandError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'CommandError';
    this.hint = hint;
  }
}

import type { Host } from '../../workspace/host.ts';

/** The input and output of a command: the process in real use, strings in tests. */
export interface Terminal extends Host {
  /** Writes results, which go to a pipe. */
  out(text: string): void;
  /**
   * Waits until the reader of the results has room for more, and ends the command if the reader has closed the pipe.
   * For results that are written in many parts. @default - there is always room
   */
  readonly taken?: () => Promise<void>;
  /** Whether the standard error is a terminal that shows colors. */
  readonly color: boolean;
  /** Whether `out` is a terminal that shows colors. */
  readonly colorOut?: boolean;
  /**
   * Prompts for a line; returns the default if the line is empty. Absent without an interactive terminal.
   *
   * @throws UserError if the user ends the input instead.
   */
  readonly ask?: (question: string, defaultAnswer: string) => Promise<string>;
  /** Whether infos are left out, as `--quiet` requests. @default - they are not */
  readonly isQuiet?: boolean;
  /** The number of columns of `out`, if it is a terminal. */
  readonly columns?: number;
}

import type { Runners } from './app/runners.ts';
import type { KeptCheckouts } from './kept-checkouts.ts';
import type { KeptContents } from './kept-contents.ts';
import type { KeptTexts } from './inputs/kept-texts.ts';
import { SettingsFiles } from './settings/settings-files.ts';

/** Where inputs are read: the process in real use, strings in tests. */
export interface Host {
  /** The folder that relative paths are relative to. */
  readonly cwd: string;
  /** The name of the hub that the inputs are read for. @default - the only hub of the workspace */
  readonly hub?: string;
  /** Milliseconds since the epoch; read once per command. */
  now(): number;
  /** All bytes of standard input, unchanged. */
  readInput(): Promise<Uint8Array>;
  /** Writes findings, progress and errors, which a person reads: also what an app printed. */
  err(text: string): void;
  /** Shows the progress in place of the previous text; nothing for an empty text. Absent in CI and in pipes. */
  readonly progress?: (text: string) => void;
  /** The environment variables. @default - none are set */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Runs the apps, with one process per state of the repository.
   * @default - each reading of inputs has its own processes
   */
  readonly apps?: Runners;
  /**
   * Reads each settings file once per command.
   * @default - each reading of settings reads the file anew
   */
  readonly settingsFiles?: SettingsFiles;
  /**
   * The texts of files that an editor has open, by their real paths. They are read in place of what is on disk.
   * @default - none are open
   */
  readonly openFiles?: ReadonlyMap<string, string>;
  /**
   * The texts of files that are read again and again.
   * @default - each reading decodes each file
   */
  readonly keptTexts?: KeptTexts;
  /**
   * What is kept of inputs that are resolved again and again.
   * @default - each run begins with nothing
   */
  readonly keptContents?: KeptContents;
  /**
   * The checkouts of commits that outlast a run.
   * @default - each run has its own
   */
  readonly checkouts?: KeptCheckouts;
  /** The resource usage of the command. */
  readonly meter?: Meter;
}

/** Returns a host that reads files, and neither standard input nor the environment. It prints nothing. */
export function quietHost(cwd: string): Host {
  return {
    cwd,
    now: () => Date.now(),
    settingsFiles: new SettingsFiles(),
    readInput: () => Promise.resolve(new Uint8Array()),
    err: () => undefined,
  };
}

export interface Meter {
  /** Milliseconds since the process started. */
  elapsed(): number;
  /** The peak memory of the process, in bytes. */
  peakMemory(): number;
}

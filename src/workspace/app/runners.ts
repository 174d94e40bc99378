import type { AppRunner, AppRunnerOptions } from './app-runner.ts';

/** The app runners of a command: one for each state of the repository, until `end` is called. */
export interface Runners {
  /** Sets how the apps of a state are run. */
  add(options: AppRunnerOptions): void;
  /**
   * Returns the runner of a folder: with the options that were set for it, otherwise with those of the nearest
   * fleetwright.yaml of its repository.
   */
  in(cwd: string): Promise<AppRunner>;
  /**
   * Returns the top folder of a revision that was written to a folder; undefined if the folder does not belong to a
   * revision.
   */
  revisionAt(cwd: string): string | undefined;
  /** Whether a notice is new to this command. */
  isNew(notice: string): boolean;
  /** Ends all processes. */
  end(): Promise<void>;
}

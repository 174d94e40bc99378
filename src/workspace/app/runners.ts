import type { AppRunner, AppRunnerOptions } from './app-runner.ts';

/** How the apps of a state are run, and the revision that the state is. */
export interface AddedRunner extends AppRunnerOptions {
  /** The commit of the revision. @default - the state is no revision, or it does not matter which */
  readonly commit?: string;
  /** A folder of the repository that the revision belongs to. @default - the folder of the state */
  readonly repository?: string;
}

/** The app runners of a command: one for each state of the repository, until `end` is called. */
export interface Runners {
  /** Sets how the apps of a state are run. */
  add(options: AddedRunner): void;
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
  /** Returns a folder of the repository that the revision in a folder belongs to. */
  repositoryOf(cwd: string): string | undefined;
  /** Returns the commit of the revision in a folder. */
  commitOf(cwd: string): string | undefined;
  /** Whether a notice is new to this command. */
  isNew(notice: string): boolean;
  /** Ends all processes. */
  end(): Promise<void>;
}

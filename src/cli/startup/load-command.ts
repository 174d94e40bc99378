/** The code of all commands. */
export interface CommandProgram {
  /** Runs the command line of this process, and ends the process. */
  readonly main: () => Promise<void>;
}

/** Loads the code of all commands from its modules. `npm run build` replaces this module with `load-built-command.ts`. */
export async function loadCommand(): Promise<CommandProgram> {
  return await import('./command-process.ts');
}

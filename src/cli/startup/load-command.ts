import type { CommandProgram } from './start.ts';

/** Loads the code of all commands from its modules. `npm run build` replaces this module with `load-built-command.ts`. */
export async function loadCommand(): Promise<CommandProgram> {
  return await import('./command-process.ts');
}

import type { CommandWords } from './command-words.ts';

/**
 * Returns the words of all commands. The build replaces this module with the words themselves, so that completion
 * loads neither the commands nor yargs.
 */
export async function allWords(): Promise<CommandWords> {
  return (await import('../../run.ts')).commandWords();
}

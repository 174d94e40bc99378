import { version } from '../../workspace/version.ts';
import { candidatesWithoutNames, completionRequest } from '../commands/completion/candidates.ts';
import { completionScripts, shells } from '../commands/completion/completion-scripts.ts';

/**
 * Returns what a command line prints if no command has to be loaded for it: the version, scripts of shells, and most
 * completions. Undefined for every other command line.
 */
export async function quickAnswer(argv: readonly string[]): Promise<string | undefined> {
  const [first = '', second] = argv;
  if (argv.length === 1 && (first === '--version' || first === '-V')) return `${version}\n`;
  const shell = shells.find((name) => name === second);
  if (argv.length === 2 && first === 'completion' && shell !== undefined) return completionScripts[shell];
  const completed = completionRequest(argv);
  return completed === undefined ? undefined : await candidatesWithoutNames(completed);
}

import { allWords } from './all-words.ts';
import { completedWords } from './command-words.ts';
import { namedThing } from './named-words.ts';

/** Returns the words that a completion script sends; undefined if the command line does not come from a script. */
export function completionRequest(argv: readonly string[]): readonly string[] | undefined {
  return argv[0] === '--get-yargs-completions' ? argv.slice(1) : undefined;
}

/**
 * Returns the candidates for the last word of a command line that needs no name of the workspace, one per line, with a description
 * after a tab. It loads no more than the words of the commands. Undefined for other command lines, see `candidates`.
 */
export async function candidatesWithoutNames(words: readonly string[]): Promise<string | undefined> {
  return namedThing(words) === undefined ? await wordCandidates(words) : undefined;
}

/** Returns the words of the commands that fit, as `candidatesWithoutNames`. */
export async function wordCandidates(words: readonly string[]): Promise<string> {
  return asLines(completedWords(await allWords(), words));
}

/** Returns candidates, one per line. */
export function asLines(candidates: readonly string[]): string {
  return candidates.map((candidate) => `${candidate}\n`).join('');
}

import { allWords } from './all-words.ts';
import { completedWords } from './command-words.ts';
import { namedThing } from './named-words.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Returns the words that a completion script sends; undefined if the command line does not come from a script. */
export function completionRequest(argv: readonly string[]): readonly string[] | undefined {
  return argv[0] === '--get-yargs-completions' ? argv.slice(1) : undefined;
}

/**
 * Returns the candidates for the last word, one per line, with a description after a tab. Returns nothing for file
 * names, which only the shell knows.
 */
export async function candidates(words: readonly string[], terminal: Terminal): Promise<string> {
  const current = words.at(-1) ?? '';
  const names =
    namedThing(words) === undefined
      ? []
      : await (await import('./completion-names.ts')).namesFor(words, terminal);
  const fitting = names.filter(
    (name) => name.startsWith(current) && !name.startsWith('-') && !isShellSyntax(name),
  );
  return asLines([...fitting, ...completedWords(await allWords(), words)]);
}

/**
 * Returns the same for command lines that need no name of the workspace, without loading more than the words of the
 * commands; undefined for the others.
 */
export async function candidatesWithoutNames(words: readonly string[]): Promise<string | undefined> {
  if (namedThing(words) !== undefined) return undefined;
  return asLines(completedWords(await allWords(), words));
}

function asLines(candidates: readonly string[]): string {
  return candidates.map((candidate) => `${candidate}\n`).join('');
}

/** Whether a shell may read a name as more than one word: names are not checked here, and the shell writes them unquoted. */
function isShellSyntax(name: string): boolean {
  return !/^[\w./:@+=,-]+$/.test(name);
}

import { namesFor } from './completion-names.ts';
import { namedThing } from './named-words.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { asLines, wordCandidates } from './candidates.ts';

/**
 * Returns the candidates for the last word, one per line, with a description after a tab. Returns nothing for file
 * names, which only the shell knows.
 */
export async function candidates(words: readonly string[], terminal: Terminal): Promise<string> {
  const current = words.at(-1) ?? '';
  const names = namedThing(words) === undefined ? [] : await namesFor(words, terminal);
  const fitting = names.filter(
    (name) => name.startsWith(current) && !name.startsWith('-') && !isShellSyntax(name),
  );
  return asLines(fitting) + (await wordCandidates(words));
}

/** Whether a shell may read a name as more than one word: names are not checked here, and the shell writes them unquoted. */
function isShellSyntax(name: string): boolean {
  return !/^[\w./:@+=,-]+$/.test(name);
}

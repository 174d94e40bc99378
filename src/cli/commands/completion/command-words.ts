/** The words of a command, or of the whole command line, that completion offers. */
export interface CommandWords {
  readonly commands: readonly Subcommand[];
  readonly options: readonly CompletedOption[];
  /** The values of each positional argument, in order; empty if any value is valid. */
  readonly positionals: readonly (readonly string[])[];
}

interface Subcommand extends CommandWords {
  readonly name: string;
  readonly description: string;
}

interface CompletedOption {
  readonly name: string;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly isFlag: boolean;
  /** Empty if any value is valid. */
  readonly choices: readonly string[];
}

/**
 * Returns the words that fit at the end of a command line, each with its description after a tab.
 *
 * @param words - the command line with the name of the program; the last word may be incomplete
 */
export function completedWords(root: CommandWords, words: readonly string[]): string[] {
  const { command, first } = namedCommand(root, words);
  const current = words.at(-1) ?? '';
  const choices = choicesOfPrevious(command, words.slice(0, -1));
  if (choices.length > 0) return choices.filter((choice) => choice.startsWith(current));
  if (current.startsWith('-')) return optionsFor(command, words);
  const commands = command.commands
    .filter(({ name }) => !words.includes(name))
    .map(({ name, description }) => `${name}\t${description}`);
  const values = command.positionals[positionsIn(command, words.slice(first, -1))] ?? [];
  return [...commands, ...values].filter((word) => word.startsWith(current));
}

/** Returns the innermost command that the words name, and where its own words begin. */
function namedCommand(
  root: CommandWords,
  words: readonly string[],
): { command: CommandWords; first: number } {
  let command = root;
  let first = 1;
  for (const [index, word] of words.slice(0, -1).entries()) {
    const named = index === 0 ? undefined : command.commands.find(({ name }) => name === word);
    if (named === undefined) continue;
    command = named;
    first = index + 1;
  }
  return { command, first };
}

function optionNamed({ options }: CommandWords, word: string): CompletedOption | undefined {
  if (!word.startsWith('-')) return undefined;
  const name = word.replace(/^-+/, '');
  return options.find((option) => option.name === name || option.aliases.includes(name));
}

/** Returns the values of the option that the last word is, if they are limited. */
function choicesOfPrevious(command: CommandWords, words: readonly string[]): readonly string[] {
  return optionNamed(command, words.at(-1) ?? '')?.choices ?? [];
}

/** Returns the options that the command line does not contain. */
function optionsFor({ options }: CommandWords, words: readonly string[]): string[] {
  const current = words.at(-1) ?? '';
  const others = new Set(words.slice(0, -1));
  return options
    .filter(({ name, aliases }) => ![name, ...aliases].some((each) => others.has(dashed(each))))
    .map(({ name, description }) => `${dashed(name)}\t${description}`)
    .filter((candidate) => candidate.startsWith(current));
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** Returns the number of words that are positional arguments. */
function positionsIn(command: CommandWords, words: readonly string[]): number {
  return words.filter((word, index) => !word.startsWith('-') && !isValue(command, words[index - 1] ?? ''))
    .length;
}

/** Whether the word after this one is its value. */
function isValue(command: CommandWords, word: string): boolean {
  return word.startsWith('-') && !word.includes('=') && optionNamed(command, word)?.isFlag !== true;
}

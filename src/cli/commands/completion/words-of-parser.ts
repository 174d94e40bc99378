import type { Argv, CommandModule } from 'yargs';
import type { CommandWords } from './command-words.ts';

/** Returns the words of all commands of a parser. */
export function wordsOfParser(parserOfCommands: () => Argv): CommandWords {
  return wordsOf(() => internals(parserOfCommands()));
}

/** What yargs 18 has for its own modules, as far as it is used here. */
interface Internals {
  readonly reset: () => Argv;
  readonly getCommandInstance: () => {
    readonly getCommandHandlers: () => Readonly<
      Record<string, { readonly builder: CommandModule['builder'] }>
    >;
  };
  readonly getUsageInstance: () => {
    readonly getCommands: () => readonly (readonly [command: string, description: string])[];
    readonly getDescriptions: () => Readonly<Record<string, string | undefined>>;
    readonly getPositionalGroupName: () => string;
  };
}

interface Parser {
  readonly getInternalMethods: () => Internals;
  readonly getOptions: () => {
    readonly key: Readonly<Record<string, unknown>>;
    readonly alias: Readonly<Record<string, readonly string[]>>;
    readonly boolean: readonly string[];
    readonly choices: Readonly<Record<string, readonly string[]>>;
  };
  readonly getGroups: () => Readonly<Record<string, readonly string[]>>;
}

interface Opened {
  readonly parser: Parser;
  readonly internal: Internals;
}

function internals(parser: object): Opened {
  const opened = parser as Parser;
  return { parser: opened, internal: opened.getInternalMethods() };
}

/** @param open - creates a parser at the command, because a builder changes the parser */
function wordsOf(open: () => Opened): CommandWords {
  const { parser, internal } = open();
  const usage = internal.getUsageInstance();
  const descriptions = usage.getDescriptions();
  const describe = (name: string): string => (descriptions[name] ?? '').replace('__yargsString__:', '');
  const { key, alias, boolean, choices } = parser.getOptions();
  const positionals = parser.getGroups()[usage.getPositionalGroupName()] ?? [];
  return {
    commands: usage.getCommands().map(([command, description]) => {
      const [name = ''] = command.split(' ', 1);
      return { name, description, ...wordsOf(() => openCommand(open(), name)) };
    }),
    options: Object.keys(key)
      .filter((name) => !positionals.includes(name))
      .map((name) => ({
        name,
        description: describe(name),
        aliases: [
          ...(alias[name] ?? []),
          ...Object.keys(alias).filter((other) => alias[other]?.includes(name) === true),
        ],
        isFlag: boolean.includes(name),
        choices: choices[name] ?? [],
      })),
    positionals: positionals.map((name) => choices[name] ?? []),
  };
}

function openCommand({ internal }: Opened, name: string): Opened {
  const builder = internal.getCommandInstance().getCommandHandlers()[name]?.builder;
  const inner = internal.reset();
  if (typeof builder === 'function') void builder(inner);
  return internals(inner);
}

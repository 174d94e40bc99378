import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { completionScripts, shells, type Shell } from './completion-scripts.ts';
import { namesFor, type CommandLine } from './completion-names.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

interface Arguments {
  readonly shell: Shell;
}

/** `completion SHELL`: prints the script with which a shell completes command lines. */
export function completionCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'completion <shell>',
    describe: 'Print a shell script that completes commands, options and apps',
    builder: (command) =>
      command.positional('shell', { describe: 'the shell', choices: shells, demandOption: true }).epilogue(
        examples(terminal, {
          'source <(fleetwright completion bash)': 'in ~/.bashrc',
          'source <(fleetwright completion zsh)': 'in ~/.zshrc, after compinit',
          'fleetwright completion fish > ~/.config/fish/completions/fleetwright.fish': 'once',
        }),
      ),
    handler: ({ shell }) => {
      terminal.out(completionScripts[shell]);
      end(exitCode.clean);
    },
  };
}

/** Returns the words that a completion script sends; undefined if the command line does not come from a script. */
export function completionRequest(argv: readonly string[]): CommandLine | undefined {
  return argv[0] === '--get-yargs-completions' ? argv.slice(1) : undefined;
}

/**
 * Returns the candidates for the last word, one per line, with a description after a tab. Returns nothing for file
 * names, which only the shell knows.
 *
 * @param completedNames - the answer of yargs: commands, options and their choices
 */
export async function candidates(
  words: CommandLine,
  completedNames: string,
  terminal: Terminal,
): Promise<string> {
  const current = words.at(-1) ?? '';
  const typesOption = current.startsWith('-');
  const isFitting = (candidate: string): boolean =>
    candidate.startsWith(current) && (typesOption || !candidate.startsWith('-'));
  const fitting = completedNames.split('\n').filter((candidate) => candidate !== '' && isFitting(candidate));
  const names = (await namesFor(words, terminal)).filter((name) => isFitting(name) && !isShellSyntax(name));
  return [...names, ...fitting].map((candidate) => `${candidate}\n`).join('');
}

/** Whether a shell may read a name as more than one word: names are not checked here, and the shell writes them unquoted. */
function isShellSyntax(name: string): boolean {
  return !/^[\w./:@+=,-]+$/.test(name);
}

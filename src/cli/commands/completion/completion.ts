import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { completionScripts, shells, type Shell } from './completion-scripts.ts';
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

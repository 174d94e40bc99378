import yargs, { type CommandModule } from 'yargs';
import { escapeActing, withoutCommands } from '../compiler/report/text/terminal-line.ts';
import { AppRunners } from '../workspace/app/app-runners.ts';
import { SettingsFiles } from '../workspace/settings/settings-files.ts';
import { standardInput } from '../workspace/inputs/inputs.ts';
import { affectedCommand } from './commands/affected.ts';
import { diffCommand } from './commands/diff.ts';
import { explainCommand } from './commands/explain.ts';
import { completionRequest } from './commands/completion/candidates.ts';
import { candidates } from './commands/completion/named-candidates.ts';
import type { CommandWords } from './commands/completion/command-words.ts';
import { completionCommand } from './commands/completion/completion.ts';
import { wordsOfParser } from './commands/completion/words-of-parser.ts';
import { controllerCommand } from './commands/controller/controller.ts';
import { DiagnosedError } from '../workspace/diagnosed-error.ts';
import { helpColumns } from './examples.ts';
import { checkValues } from './option-values.ts';
import { doctorCommand } from './commands/doctor.ts';
import { systemFailure } from '../workspace/failure.ts';
import { fleetCommand } from './commands/fleet.ts';
import { functionCommand } from './commands/function/function.ts';
import { generateCommand, withPluginParameters } from './commands/generate.ts';
import { ociCommand } from './commands/oci/oci.ts';
import { initCommand } from './commands/init/init.ts';
import { importCommand } from './commands/import.ts';
import { newCommand } from './commands/new/new.ts';
import { planCommand } from './commands/plan/plan.ts';
import { promoteCommand } from './commands/promote/promote.ts';
import { printDiagnostics } from './terminal/print-diagnostics.ts';
import { renderCommand } from './commands/render/render.ts';
import { resolveCommand } from './commands/resolve.ts';
import { revertCommand } from './commands/revert.ts';
import { rolloutCommand } from './commands/rollout.ts';
import { statusCommand } from './commands/status/status.ts';
import { synthCommand } from './commands/synth.ts';
import { type Terminal } from './terminal/terminal.ts';
import { validateCommand } from './commands/validate/validate.ts';
import { version } from '../workspace/version.ts';
import { whoUsesCommand } from './commands/who-uses.ts';
import { writtenArguments } from './written-arguments.ts';
import { isUsageError, wrongUse } from './wrong-use.ts';
import { UserError } from '../workspace/user-error.ts';
import { exitCode, type ExitCode } from './exit-code.ts';

/**
 * Runs one command line and returns its exit code. Findings and results go to the terminal. Errors of the user, and
 * failures outside of Fleetwright, are reported in a sentence. Faults of Fleetwright itself are thrown.
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const settingsFiles = new SettingsFiles();
  const apps = new AppRunners(settingsFiles);
  try {
    return await runCommand(argv, { ...terminal, apps, settingsFiles });
  } finally {
    await apps.end();
  }
}

async function runCommand(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let ended: ExitCode = exitCode.clean;
  const end = (code: ExitCode): void => {
    ended = code;
  };
  const completed = completionRequest(argv);
  let printed = '';
  try {
    if (completed !== undefined) {
      terminal.out(await candidates(completed, terminal));
      return ended;
    }
    const commandLine = withPluginParameters(withoutSeparator(writtenArguments(argv)), terminal.env ?? {});
    const words = commandLine.map(nameInput);
    await parserOf(commandLine, terminal, end).parseAsync(words, {}, (_error, _arguments, output) => {
      printed = output;
    });
    if (printed !== '') terminal.out(`${printed}\n`);
  } catch (error) {
    if (error instanceof DiagnosedError) {
      printDiagnostics([error.diagnostic], error.texts, terminal);
      return exitCode.failure;
    }
    const failure = error instanceof UserError ? error : systemFailure(error);
    if (failure === undefined) throw error;
    const { message, hint } = failure;
    const lines = [`fleetwright: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])];
    terminal.err(`${withoutCommands(escapeActing(lines.join('\n')))}\n`);
    return exitCode.failure;
  }
  return ended;
}

/** Returns the words of all commands, for completion. They do not depend on the terminal. */
export function commandWords(): CommandWords {
  const terminal: Terminal = {
    cwd: '.',
    now: () => 0,
    readInput: async () => await Promise.resolve(Buffer.alloc(0)),
    out: () => undefined,
    err: () => undefined,
    color: false,
  };
  return wordsOfParser(() => parserOf([], terminal, () => undefined));
}

function parserOf(commandLine: readonly string[], terminal: Terminal, end: (code: ExitCode) => void) {
  const commands: string[] = [];
  const parser = yargs();
  withoutHelpOfCommands(parser);
  const add = <T>(module: CommandModule<object, T>): void => {
    commands.push(String(module.command).split(' ', 1)[0] ?? '');
    parser.command(module);
  };
  add(initCommand(terminal, end));
  add(newCommand(terminal, end));
  add(synthCommand(terminal, end));
  add(validateCommand(terminal, end));
  add(resolveCommand(terminal, end));
  add(rolloutCommand(terminal, end));
  add(renderCommand(terminal, end));
  add(planCommand(terminal, end));
  add(promoteCommand(terminal, end));
  add(revertCommand(terminal, end, async (words) => await run(words, terminal)));
  add(diffCommand(terminal, end));
  add(explainCommand(terminal, end));
  add(whoUsesCommand(terminal, end));
  add(affectedCommand(terminal, end));
  add(statusCommand(terminal, end));
  add(fleetCommand(terminal, end));
  add(doctorCommand(terminal, end));
  add(importCommand(terminal, end));
  add(generateCommand(terminal, end));
  add(functionCommand(terminal, end));
  add(ociCommand(terminal, end));
  add(controllerCommand(terminal, end));
  add(completionCommand(terminal, end));
  return (
    parser
      .scriptName('fleetwright')
      // Only yargs' own messages have translations.
      .locale('en')
      .usage('$0 COMMAND\n\nCompile the add-ons of an Open Cluster Management hub.')
      .demandCommand(1, 'Name a command.')
      .strict()
      .help('help', 'show this help')
      .version('version', 'show the version', version)
      .alias({ h: 'help', V: 'version' })
      .epilogue('fleetwright COMMAND --help describes a command, with examples. To begin: fleetwright init.')
      .wrap(helpColumns(terminal))
      .exitProcess(false)
      .check(checkValues(commandLine))
      .fail((message, error) => {
        throw isUsageError(error) ? wrongUse(message, commandLine, commands) : error;
      })
  );
}

/**
 * Keeps yargs from laying out the help of a command that runs. yargs does so for handlers that print help later; ours do not,
 * and it takes longer than many commands.
 */
function withoutHelpOfCommands(parser: object): void {
  const { getInternalMethods } = parser as { getInternalMethods: () => InternalMethods };
  getInternalMethods.call(parser).getUsageInstance().cacheHelpMessage = () => undefined;
}

/** What yargs 18 has for its own modules, as far as it is used here. */
interface InternalMethods {
  getUsageInstance(): { cacheHelpMessage: () => void };
}

/** yargs passes no words behind `--` to commands. There, a word that begins with a dash is a file of that name. */
function withoutSeparator(argv: readonly string[]): readonly string[] {
  const separator = argv.indexOf('--');
  if (separator === -1) return argv;
  const operands = argv.slice(separator + 1);
  return [...argv.slice(0, separator), ...operands.map((word) => (/^-./.test(word) ? `./${word}` : word))];
}

/** yargs drops a lone `-` from lists of paths. */
function nameInput(argument: string): string {
  return argument === '-' ? standardInput : argument;
}

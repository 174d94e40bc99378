import yargs, { type CommandModule } from 'yargs';
import { getOrInsertComputed } from '../base/collections/get-or-insert.ts';
import { AppRunners } from '../workspace/app/app-runners.ts';
import { SettingsFiles } from '../workspace/settings/settings-files.ts';
import { standardInput } from '../workspace/inputs/inputs.ts';
import { diffCommand } from './commands/diff.ts';
import { explainCommand } from './commands/explain.ts';
import { completionRequest } from './commands/completion/candidates.ts';
import { candidates } from './commands/completion/named-candidates.ts';
import type { CommandWords } from './commands/completion/command-words.ts';
import { completionCommand } from './commands/completion/completion.ts';
import { wordsOfParser } from './commands/completion/words-of-parser.ts';
import { controllerCommand } from './commands/controller/controller.ts';
import { withCommandGroups, type CommandGroup } from './command-groups.ts';
import { helpColumns } from './examples.ts';
import { checkValues } from './option-values.ts';
import { doctorCommand } from './commands/doctor.ts';
import { fleetCommand } from './commands/fleet.ts';
import { withPluginParameters } from './commands/machine/generate.ts';
import { machineCommand } from './commands/machine/machine.ts';
import { initCommand } from './commands/init/init.ts';
import { lspCommand } from './commands/lsp.ts';
import { mcpCommand } from './commands/mcp/mcp.ts';
import { importCommand } from './commands/import/import.ts';
import { newCommand } from './commands/new/new.ts';
import { planCommand } from './commands/plan/plan.ts';
import { promoteCommand } from './commands/promote/promote.ts';
import { proveCommand } from './commands/prove.ts';
import { reportFailure } from './report-failure.ts';
import { renderCommand } from './commands/render/render.ts';
import { resolveCommand } from './commands/resolve.ts';
import { revertCommand } from './commands/revert.ts';
import { rolloutCommand } from './commands/rollout.ts';
import { statusCommand } from './commands/status/status.ts';
import { synthCommand } from './commands/synth/synth.ts';
import { type Terminal } from './terminal/terminal.ts';
import { validateCommand } from './commands/validate/validate.ts';
import { verifyCommand } from './commands/verify/verify.ts';
import { version } from '../workspace/version.ts';
import { whoUsesCommand } from './commands/who-uses.ts';
import { writtenArguments } from './written-arguments.ts';
import { isUsageError, wrongUse } from './wrong-use.ts';
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
    const { parser, groups } = parserOf(commandLine, withoutInfos(terminal, commandLine), end);
    await parser.parseAsync(words, {}, (_error, _arguments, output) => {
      printed = withCommandGroups(output, groups);
    });
    if (printed !== '') terminal.out(`${printed}\n`);
  } catch (error) {
    reportFailure(error, terminal);
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
  return wordsOfParser(() => parserOf([], terminal, () => undefined).parser);
}

function parserOf(commandLine: readonly string[], terminal: Terminal, end: (code: ExitCode) => void) {
  const groups = new Map<CommandGroup, string[]>();
  const parser = yargs();
  withoutHelpOfCommands(parser);
  const add = <T>(group: CommandGroup, module: CommandModule<object, T>): void => {
    getOrInsertComputed(groups, group, () => []).push(String(module.command).split(' ', 1)[0] ?? '');
    parser.command(module);
  };
  add('Begin', initCommand(terminal, end));
  add('Begin', newCommand(terminal, end));
  add('Begin', importCommand(terminal, end));
  add('Begin', fleetCommand(terminal, end));
  add('Begin', doctorCommand(terminal, end));
  add('Begin', completionCommand(terminal, end));
  const once = commandLine.filter((word) => !/^--watch(?:=true)?$/.test(word));
  add(
    'Change',
    synthCommand(terminal, end, async (printing) => await run(once, printing)),
  );
  add('Change', validateCommand(terminal, end));
  add('Change', planCommand(terminal, end));
  add(
    'Change',
    revertCommand(terminal, end, async (words) => await run(words, terminal)),
  );
  add('Look', explainCommand(terminal, end));
  add('Look', whoUsesCommand(terminal, end));
  add('Look', resolveCommand(terminal, end));
  add('Look', rolloutCommand(terminal, end));
  add('Look', proveCommand(terminal, end));
  add('Look', renderCommand(terminal, end));
  add('Look', diffCommand(terminal, end));
  add('Look', statusCommand(terminal, end));
  add('Look', verifyCommand(terminal, end));
  add('Release', promoteCommand(terminal, end));
  add('Integrate', lspCommand(terminal, end));
  add('Integrate', mcpCommand(terminal, end, run));
  add('Integrate', machineCommand(terminal, end));
  add('Integrate', controllerCommand(terminal, end));
  const commands = [...groups.values()].flat();
  parser
    .scriptName('fleetwright')
    // Only yargs' own messages have translations.
    .locale('en')
    .usage('$0 COMMAND\n\nCompile the add-ons of an Open Cluster Management hub.')
    .demandCommand(1, 'Name a command.')
    .strict()
    .option('quiet', { describe: 'hide infos and progress', type: 'boolean', default: false })
    .help('help', 'show this help')
    .version('version', 'show the version', version)
    .alias({ h: 'help', V: 'version' })
    .epilogue('fleetwright COMMAND --help describes a command, with examples. To begin: fleetwright init.')
    .wrap(helpColumns(terminal))
    .exitProcess(false)
    .check(checkValues(commandLine))
    .fail((message, error) => {
      throw isUsageError(error) ? wrongUse(message, commandLine, commands) : error;
    });
  return { parser, groups };
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

/** Returns the terminal that a command prints to: with `--quiet` it has no progress, and no infos. */
function withoutInfos(terminal: Terminal, commandLine: readonly string[]): Terminal {
  const isQuiet = commandLine.some((word) => word === '--quiet' || word === '--quiet=true');
  const { progress: _, ...withoutProgress } = terminal;
  return isQuiet ? { ...withoutProgress, isQuiet } : terminal;
}

/** yargs drops a lone `-` from lists of paths. */
function nameInput(argument: string): string {
  return argument === '-' ? standardInput : argument;
}

import { closest } from '../compiler/model/suggestion.ts';
import { UserError } from '../workspace/user-error.ts';

/** The messages of commands without their required arguments. */
const wanted: ReadonlyMap<string | undefined, readonly [message: string, hint: string]> = new Map([
  ['new', ['missing name', 'fleetwright new NAME']],
  ['render', ['missing cluster or add-on', 'fleetwright render CLUSTER ADDON']],
  ['explain', ['missing cluster or diagnostic', 'fleetwright explain CLUSTER [ADDON [FIELD]], or FW7001']],
  [
    'who-uses',
    [
      'missing configuration, Placement or file',
      'fleetwright who-uses NAMESPACE/NAME, or a file such as apps/metrics/app.ts',
    ],
  ],
  ['diff', ['missing hub', 'fleetwright diff HUB-A HUB-B']],
  ['revert', ['missing commit', 'fleetwright revert COMMIT, or BASE..HEAD']],
  ['fleet', ['missing subcommand', 'fleetwright fleet pull']],
  ['completion', ['missing shell', 'bash, zsh or fish']],
]);

/** The names that other programs use for such a command. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['add', 'new'],
  ['build', 'synth'],
  ['check', 'synth --check'],
  ['compile', 'synth'],
  ['create', 'new'],
  ['lint', 'validate'],
  ['pull', 'fleet pull'],
  ['template', 'render'],
  ['version', '--version'],
]);

/** Commands whose names have two words. */
const groups: ReadonlySet<string> = new Set(['controller', 'fleet', 'machine']);

/** Whether an error comes from yargs' check of a command line: most such errors are strings, some are errors. */
export function isUsageError(error: unknown): boolean {
  return error === undefined || error === null || (error instanceof Error && error.name === 'YError');
}

/**
 * Returns yargs' error for a command line, in words that contain the correct usage.
 *
 * @param commands - the names of all commands
 */
export function wrongUse(
  message: string,
  commandLine: readonly string[],
  commands: readonly string[],
): UserError {
  const [command = ''] = commandLine;
  if (message.startsWith('Not enough non-option arguments')) {
    const [what, how] = wanted.get(command) ?? [
      'missing argument',
      `fleetwright ${command} --help lists them`,
    ];
    return new UserError(what, how);
  }
  const choice = /^ *Argument: (\S+), Given: "?(.*?)"?, Choices: (.+)$/m.exec(message);
  if (choice !== null) {
    const [, name = '', given = '', choices = ''] = choice;
    const validChoices = choices.replaceAll('"', '');
    // The value that yargs sets for an option without a value.
    if (given === 'true' || given === '')
      return new UserError(`--${name} needs a value`, `one of: ${validChoices}`);
    return new UserError(`${name} cannot be ${given}`, `one of: ${validChoices}`);
  }
  const [, incomplete] = /^Not enough arguments following: (\S+)$/.exec(message) ?? [];
  // yargs names the option as it was given, and -o is the only one with a short name that takes a value.
  if (incomplete !== undefined)
    return new UserError(`${option(incomplete === 'o' ? 'output' : incomplete)} needs a value`);
  const [, unknown] = /^Unknown (?:arguments?|commands?): (.+)$/.exec(message) ?? [];
  if (unknown !== undefined) return unknownArguments(unknown.split(', '), commandLine, commands);
  const [sentence = ''] = message.replace(/\.$/, '').split('\n');
  return new UserError(sentence, 'fleetwright --help lists the commands and their options');
}

function unknownArguments(
  names: readonly string[],
  [command = '', ...rest]: readonly string[],
  commands: readonly string[],
): UserError {
  if (names.includes(command)) {
    const meant = otherNames.get(command) ?? closest(command, commands);
    return new UserError(
      `unknown command ${command}`,
      meant === undefined ? 'fleetwright --help lists the commands' : `did you mean ${meant}?`,
    );
  }
  const [first = ''] = names;
  const [subcommand = ''] = rest;
  const named = groups.has(command) && !names.includes(subcommand) ? `${command} ${subcommand}` : command;
  const help = `fleetwright ${named} --help lists its arguments and options`;
  return rest.includes(first)
    ? new UserError(`${first} is an extra argument`, help)
    : new UserError(`unknown option ${option(first)}`, help);
}

/** Returns an option as the user types it. */
export function option(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

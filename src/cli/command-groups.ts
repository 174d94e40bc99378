/** The groups of commands in `--help`, in order: what a user wants to do. */
export type CommandGroup = 'Begin' | 'Change' | 'Look' | 'Release' | 'Integrate';

/**
 * Returns the help of the command line with a heading above each group of commands. yargs has groups of options only.
 *
 * @param help - the help as yargs prints it, with the commands in the order of the groups. The help of a command has no such groups and
 * is returned unchanged.
 */
export function withCommandGroups(help: string, groups: ReadonlyMap<string, readonly string[]>): string {
  if (!help.startsWith('fleetwright COMMAND\n')) return help;
  return [...groups].reduce((text, [group, [first = '']], index) => {
    const [before, after] = index === 0 ? ['Commands:\n', `${group}:\n`] : ['', `\n${group}:\n`];
    return text.replace(`${before}  fleetwright ${first} `, `${after}  fleetwright ${first} `);
  }, help);
}

import type { Argv } from 'yargs';
import { UserError } from '../workspace/user-error.ts';
import { hostsOfHubs } from '../workspace/workspace.ts';
import { listOption } from './options.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Selects the hubs of the workspace. */
export interface HubSelection {
  readonly hub: readonly string[];
}

export function hubSelectionOption<T>(command: Argv<T>): Argv<T & HubSelection> {
  return command.option('hub', {
    ...listOption,
    describe: 'names of hubs of the workspace',
    defaultDescription: 'all',
  });
}

/**
 * Returns the terminal for the hub of a command whose answer describes exactly one hub.
 *
 * @param what - the answer, with its verb: `resolve prints the objects of one hub`
 * @throws UserError if several hubs are selected, or there is no such hub
 */
export async function oneHub(terminal: Terminal, { hub }: HubSelection, what: string): Promise<Terminal> {
  const [first, ...others] = await hostsOfHubs(terminal, hub);
  if (first === undefined) throw new Error('a workspace has at least one hub');
  if (others.length === 0) return first;
  const names = [first, ...others].map((each) => each.hub).join(', ');
  throw new UserError(what, `select it with --hub; the hubs are ${names}`);
}

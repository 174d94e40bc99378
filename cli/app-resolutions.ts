import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Argv } from 'yargs';
import { hasErrors, type Diagnostic } from '../compiler/diagnostic.ts';
import type { Resolution } from '../compiler/resolve.ts';
import { defaultApps, fleetOption, listOption, type Hub } from './options.ts';
import { missingFleet, type ReadInventory } from './missing-fleet.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { resolveInputs } from './resolve-inputs.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** What commands read that ask about apps, not about paths. */
export interface AppArguments {
  readonly app: readonly string[];
  readonly apps: string;
  readonly path: readonly string[];
  readonly fleet: readonly string[];
}

export function appOptions<T>(command: Argv<T>): Argv<T & AppArguments> {
  return command
    .option('app', {
      ...listOption,
      describe: 'names of folders in the apps folder',
      defaultDescription: 'all',
    })
    .option('apps', { describe: 'the folder of the apps', type: 'string', default: defaultApps })
    .option('path', {
      ...listOption,
      describe: "instead of apps: YAML files, folders, an app's app.ts",
      defaultDescription: 'the apps',
    })
    .option('fleet', fleetOption('of each app'));
}

/** An app that resolves. */
export interface AppResolution {
  /** Empty where paths were named. */
  readonly app: string;
  readonly resolution: Resolution;
}

/** The apps that a command was given. */
export interface ResolvedApps {
  readonly resolved: readonly AppResolution[];
  /** The names of those that do not resolve, whose errors were shown. */
  readonly failed: readonly string[];
}

/**
 * Resolves the apps, or the paths as one. Errors of those that do not resolve are shown; other findings are not what was
 * asked for.
 *
 * @throws CommandError where there are no apps, or none of them resolves.
 */
export async function resolveApps(
  { app, apps, path: paths, fleet }: AppArguments,
  hub: Hub,
  terminal: Terminal,
): Promise<ResolvedApps> {
  const named = paths.length > 0 ? [{ app: '', path: paths }] : await appPaths(app, apps, terminal.cwd);
  const resolved: AppResolution[] = [];
  const inventories: ReadInventory[] = [];
  const failed: string[] = [];
  for (const { app, path } of named) {
    const { resolution, diagnostics, texts } = await resolveInputs({ path, fleet }, hub, terminal, {
      // Folders beside the apps may have what these share.
      mayBeEmpty: paths.length === 0,
    });
    if (resolution !== undefined) {
      resolved.push({ app, resolution });
      const { inventory } = resolution;
      inventories.push(app === '' ? { inventory } : { app: path[0] ?? app, inventory });
      continue;
    }
    printDiagnostics(diagnostics.filter(isError), texts, terminal);
    failed.push(app);
  }
  printDiagnostics(missingFleet(inventories), new Map(), terminal);
  if (resolved.length === 0) throw new CommandError('nothing resolves, so that there is nothing to say');
  return { resolved, failed };
}

function isError(diagnostic: Diagnostic): boolean {
  return hasErrors([diagnostic]);
}

async function appPaths(
  app: readonly string[],
  apps: string,
  cwd: string,
): Promise<{ app: string; path: string[] }[]> {
  const entries = await readdir(path.resolve(cwd, apps), { withFileTypes: true }).catch(() => {
    throw new CommandError(`there is no folder ${apps}`, 'name what to read with --path');
  });
  const known = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  for (const name of app) {
    if (!known.includes(name)) throw new CommandError(`there is no app ${name} in ${apps}`);
  }
  const names = app.length > 0 ? app : known.sort();
  return names.map((name) => ({ app: name, path: [path.join(apps, name)] }));
}

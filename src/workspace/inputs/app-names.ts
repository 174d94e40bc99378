import path from 'node:path';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { existingEntries, existingPath, permissionDenied } from '../existing-path.ts';
import { UserError } from '../user-error.ts';

/**
 * Returns the names of the apps in a folder of apps, sorted; undefined if there is no such folder.
 *
 * @throws UserError if one of them is a broken link, or the user may not search the folder
 */
export function appsIn(folder: string): string[] | undefined {
  const entries = existingEntries(folder);
  if (entries === undefined) return undefined;
  // Who may list a folder and not search it sees the names of apps and none of their files: they would count as removed.
  if (existingPath(`${folder}${path.sep}.`) === undefined) throw permissionDenied(folder);
  const names: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith('.') || name === 'node_modules') continue;
    const found = entry.isSymbolicLink() ? existingPath(path.join(folder, name)) : entry;
    if (found === undefined)
      throw new UserError(`${path.join(folder, name)} is a broken link`, 'remove it, or correct it');
    if (found.isDirectory()) names.push(name);
  }
  return names.sort();
}

/**
 * Returns the names of the apps that the command line selects, each by its name or by the path of its folder.
 *
 * @param apps - the folder of the apps, relative to `cwd`
 * @param existing - the names of the existing apps
 * @throws UserError if there is no such app
 */
export function namedApps(
  given: readonly string[],
  apps: string,
  existing: readonly string[],
  cwd: string,
): string[] {
  return given.map((word) => {
    const name = existing.includes(word)
      ? word
      : path.relative(path.resolve(cwd, apps), path.resolve(cwd, word));
    if (existing.includes(name)) return name;
    throw new UserError(
      `unknown app ${word} in ${apps}`,
      didYouMean(path.basename(word), existing, 'the apps are'),
    );
  });
}

/**
 * Returns the names of all apps.
 *
 * @param apps - the folder of the apps, relative to `cwd`
 * @throws UserError if it is missing or has no app
 */
export function existingApps(apps: string, cwd: string): string[] {
  const names = appsIn(path.resolve(cwd, apps));
  if (names === undefined) {
    throw new UserError(
      `no folder ${apps}`,
      'run the command in a workspace, or set the folder with --apps; fleetwright init creates a workspace',
    );
  }
  if (names.length === 0) throw new UserError(`${apps} has no apps: folders with an app.ts or YAML`);
  return names;
}

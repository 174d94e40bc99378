import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { installedPackage } from '../../../workspace/app/installed-package.ts';
import type { Host } from '../../../workspace/host.ts';
import { fleetOfWorkspace, openWorkspace } from '../../../workspace/workspace.ts';

/** Where an app is written. */
export interface Destination {
  /** As the user named it. */
  readonly folder: string;
  /** Whether the workspace compiles the app with its other apps. */
  readonly isAmongApps: boolean;
  /** Whether the app reads the fleet of the workspace, unless it has a separate one. */
  readonly hasFleet: boolean;
  /** The commands that install what TypeScript imports. */
  readonly installation: readonly string[];
}

/** Returns what is at the place of a new app. */
export async function destinationOf(folder: string, host: Host): Promise<Destination> {
  const { root, settings } = await openWorkspace(host);
  const target = path.resolve(host.cwd, folder);
  const isAmongApps = path.dirname(target) === path.resolve(root, settings.apps);
  return {
    folder,
    isAmongApps,
    hasFleet:
      isAmongApps && (settings.hubs.length > 1 || (await fleetOfWorkspace(root, settings)).length > 0),
    installation: await installationFor(target, root),
  };
}

/** Returns the commands that install the constructs for a folder. Empty if they are installed. */
async function installationFor(target: string, root: string): Promise<readonly string[]> {
  if (installedPackage('fleetwright', target) !== undefined) return [];
  const manifest = await readFile(path.join(root, 'package.json'), 'utf8').catch(() => '');
  return manifest.includes('"fleetwright"')
    ? ['npm install']
    : ['fleetwright init --existing', 'npm install'];
}

/** Returns the commands that follow an import. */
export function nextSteps(
  { folder, isAmongApps, hasFleet, installation }: Destination,
  app: { readonly hasFleet: boolean; readonly isTypeScript: boolean },
): readonly string[] {
  // without --out, the snapshot is that of all apps
  const pull = `fleetwright fleet pull${isAmongApps ? '' : ` --out ${path.join(folder, 'fleet.yaml')}`}`;
  return [
    ...(app.isTypeScript ? installation : []),
    ...(hasFleet || app.hasFleet ? [] : [pull]),
    isAmongApps ? `fleetwright synth ${path.basename(folder)}` : `fleetwright validate ${folder}`,
    ...(isAmongApps ? ['fleetwright plan HEAD'] : []),
  ];
}

/** Returns the folder of an app that the user did not name, relative to the working folder. */
export async function defaultFolder(host: Host, name: string): Promise<string> {
  const { root, settings } = await openWorkspace(host);
  return path.join(path.relative(host.cwd, root), settings.apps, name);
}

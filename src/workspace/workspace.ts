import path from 'node:path';
import type { ExternalObject, SensitiveSettings } from '../compiler/index.ts';
import { existingPath } from './existing-path.ts';
import { standardInput, type InputKustomize, type SharedFleet } from './inputs/inputs.ts';
import type { InputHub } from './app/app-hub.ts';
import { selectedHubs } from './settings/hubs.ts';
import { nothingSensitive } from '../compiler/masks/sensitive-values.ts';
import { readInputSettings, readPolicies, type Policies } from './settings/policies.ts';
import {
  readWorkspaceSettings,
  settingsFile,
  settingsOfHub,
  type WorkspaceSettings,
} from './settings/settings.ts';
import { appsIn } from './inputs/app-names.ts';
import { promotedApps } from './inputs/promotion-files.ts';
import { isPresent } from './settings/settings-text.ts';
import type { Host } from './host.ts';
import { fleetNames } from './inputs/input-reader.ts';
import { LocatedError } from './located-error.ts';
import { UserError } from './user-error.ts';

/** A folder of this name makes a workspace of the folder around it, if no fleetwright.yaml does. */
export const appsFolder = 'apps';

/** The workspace of a command, relative to the folder in which it was started. */
export interface Workspace<H extends Host = Host> {
  /** The top folder of the workspace. */
  readonly root: string;
  readonly settings: WorkspaceSettings;
  /** The host with this folder as its working folder, so that commands print the same from every folder of the workspace. */
  readonly host: H;
  /**
   * Converts a path of the command line, which is relative to the folder in which the command was started, to a path
   * relative to the root.
   */
  readonly path: (given: string) => string;
}

/**
 * Opens the workspace around the folder in which the command was started.
 *
 * @throws UserError, DiagnosedError if its settings are invalid
 */
export async function openWorkspace<H extends Host>(host: H): Promise<Workspace<H>> {
  const { cwd, settingsFiles } = host;
  const root = settingsFiles?.root(cwd, workspaceRoot) ?? workspaceRoot(cwd);
  const settings = await readWorkspaceSettings({ ...host, cwd: root });
  const isElsewhere = (given: string): boolean =>
    given === standardInput || path.isAbsolute(given) || given === '';
  return {
    root,
    settings: settingsOfHub(settings, host.hub),
    host: { ...host, cwd: root },
    path: (given) =>
      root === cwd || isElsewhere(given) ? given : path.relative(root, path.resolve(cwd, given)) || '.',
  };
}

/**
 * Returns the top folder of the workspace around a folder: the nearest one with `fleetwright.yaml`, else the nearest
 * one with `apps/`, up to the top of the Git repository. The folder itself if there is neither.
 */
export function workspaceRoot(cwd: string): string {
  return workspaceAround(cwd) ?? cwd;
}

/** As `workspaceRoot`; undefined if neither the folder nor one around it is a workspace. */
export function workspaceAround(cwd: string): string | undefined {
  const folders = foldersAround(cwd);
  for (const folder of folders) if (isPresent(path.join(folder, settingsFile))) return folder;
  for (const folder of folders) if (isFolder(path.join(folder, appsFolder))) return folder;
  return undefined;
}

/**
 * Returns paths of the command line, relative to the folder in which the command was started. If a name is not an
 * existing path and the workspace has an app of that name, it is replaced by the app's folder.
 */
export async function withAppNames(paths: readonly string[], host: Host): Promise<readonly string[]> {
  const { cwd } = host;
  const { root, settings } = await openWorkspace(host);
  return paths.map((given) => {
    const app = path.join(root, settings.apps, given);
    const isName = /^[^./][^/]*$/.test(given) && !exists(path.resolve(cwd, given));
    return isName && isFolder(app) ? path.relative(cwd, app) || '.' : given;
  });
}

/**
 * Returns the paths of a command line as `withAppNames`, or the folders of all apps if it has none.
 *
 * @throws MissingPath if there is neither a path nor an app
 */
export async function pathsOrAllApps(paths: readonly string[], host: Host): Promise<readonly string[]> {
  return paths.length > 0 ? await withAppNames(paths, host) : await foldersOfAllApps(host);
}

/** A command line names no path, and the workspace has no apps. */
export class MissingPath extends UserError {
  /** The folder of the apps, relative to the root of the workspace. */
  readonly apps: string;

  constructor(apps: string) {
    super('missing path', 'a YAML file, a folder, an app, or - for standard input');
    this.apps = apps;
  }
}

/** Returns the folders of all apps, relative to the folder in which the command was started. @throws MissingPath if there are none */
export async function foldersOfAllApps(host: Host): Promise<readonly string[]> {
  const { cwd } = host;
  const { root, settings } = await openWorkspace(host);
  const folder = path.join(root, settings.apps);
  const names = appsIn(folder) ?? [];
  if (names.length === 0) throw new MissingPath(settings.apps);
  return names.map((name) => path.relative(cwd, path.join(folder, name)) || '.');
}

/** Returns the policy file, relative to `cwd`: that of the workspace if the command line names none. */
export async function workspacePolicy(policy: string | undefined, cwd: string): Promise<string | undefined> {
  if (policy !== undefined) return policy;
  const file = path.join(workspaceRoot(cwd), settingsFile);
  return isPresent(file) ? path.relative(cwd, file) : undefined;
}

/** Returns the host for each hub that a command line selects. @throws UserError if there is no such hub */
export async function hostsOfHubs<H extends Host>(host: H, given: readonly string[]): Promise<readonly H[]> {
  const { settings } = await openWorkspace(host);
  const names = selectedHubs(
    settings.hubs.map(({ name }) => name),
    given,
  );
  let input: Promise<Uint8Array> | undefined;
  // Standard input can be read only once.
  const readInput = async (): Promise<Uint8Array> => await (input ??= host.readInput());
  return names.map((hub) => (hub === undefined ? host : { ...host, hub, readInput }));
}

/** Returns the policies of the workspace around the working folder. @throws UserError, DiagnosedError as `readPolicies` */
export async function workspacePolicies(host: Host): Promise<Policies> {
  const { host: inRoot } = await openWorkspace(host);
  return await readPolicies({ policy: undefined }, inRoot);
}

/** What the workspace adds to the inputs of a command. */
export interface WorkspaceInputs {
  /** The objects that are expected on the hub outside of Git. */
  readonly external: readonly ExternalObject[];
  /** The values that reports mask. */
  readonly sensitive: SensitiveSettings;
  readonly sharedFleet: SharedFleet;
  /** The folders of the apps that have a promotion, as absolute paths. */
  readonly promotedApps: ReadonlySet<string>;
  readonly kustomize: InputKustomize;
  /** The named hub that the inputs are for. @default - the hub has no name */
  readonly hub?: InputHub;
}

/**
 * Returns what the workspace around the working folder adds to the inputs of a command.
 *
 * @throws UserError if the settings are invalid, or name a fleet snapshot that does not exist
 */
export async function workspaceInputs(host: Host): Promise<WorkspaceInputs> {
  const { cwd } = host;
  const { root, settings } = await openWorkspace(host);
  const { hub, hubs } = settings;
  const file = await workspacePolicy(undefined, cwd);
  const paths = await fleetOfWorkspace(root, settings);
  const promoted = promotedApps(root, settings);
  return {
    ...(file === undefined
      ? { external: [], sensitive: nothingSensitive }
      : await readInputSettings(file, host)),
    sharedFleet: {
      apps: path.join(root, settings.apps),
      paths: paths.map((given) => path.relative(cwd, path.join(root, given))),
    },
    promotedApps: new Set(promoted.map((app) => path.join(root, settings.apps, app))),
    kustomize: {
      apps: path.join(root, settings.apps),
      trusted: settings.kustomize.trusted,
      chosen: new Map(
        [...settings.kustomize.apps].map(([app, folder]) => [path.join(root, settings.apps, app), folder]),
      ),
    },
    ...(hub && {
      hub: {
        name: hub.name,
        hubVersion: hub.hubVersion,
        facts: hub.facts,
        names: hubs.map(({ name }) => name),
      },
    }),
  };
}

/** Returns the fleet snapshot of the workspace, relative to its root: as its settings name it, otherwise by the usual names. */
export async function fleetOfWorkspace(
  root: string,
  { fleet, hub, hubs }: Pick<WorkspaceSettings, 'fleet' | 'hub' | 'hubs'>,
): Promise<readonly string[]> {
  const names = hub === undefined || hubs.length === 1 ? fleetNames : fleetNamesOfHub(hub.name);
  const given = fleet ?? names.map((value) => ({ value, location: undefined }));
  const paths: string[] = [];
  for (const { value, location } of given) {
    if (exists(path.join(root, value))) paths.push(value);
    else if (location !== undefined)
      throw new LocatedError(
        location,
        `fleet ${value} does not exist`,
        `fleetwright fleet pull ${hub === undefined ? `--out ${value}` : `--hub ${hub.name}`}`,
      );
  }
  return paths;
}

/** Returns the names of the fleet snapshots of a hub, relative to the root of the workspace. */
function fleetNamesOfHub(hub: string): readonly string[] {
  return fleetNames.map((name) => path.join('fleets', name.replace('fleet', hub)));
}

/** Returns the file that `fleet pull` writes for a hub that names no fleet. */
export function defaultSnapshot({ hub, hubs }: Pick<WorkspaceSettings, 'hub' | 'hubs'>): string {
  return hub === undefined || hubs.length === 1 ? 'fleet.yaml' : path.join('fleets', `${hub.name}.yaml`);
}

/**
 * Returns a state to compare with: the path of a folder becomes relative to the root of the workspace, a revision is
 * unchanged.
 */
export async function stateFromRoot(state: string, workspace: Workspace, cwd: string): Promise<string> {
  return state !== '' && isFolder(path.resolve(cwd, state)) ? workspace.path(state) : state;
}

/** Returns the folder and those around it, up to the top of the Git repository or of the file system. */
function foldersAround(cwd: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; !exists(path.join(folder, '.git')); folder = path.dirname(folder)) {
    if (path.dirname(folder) === folder) break;
    folders.push(path.dirname(folder));
  }
  return folders;
}

/** Whether there is a folder at a path. */
export function isFolder(folder: string): boolean {
  return existingPath(folder)?.isDirectory() === true;
}

function exists(file: string): boolean {
  return existingPath(file) !== undefined;
}

import path from 'node:path';
import type { Engine, FieldPath } from '../compiler/index.ts';
import type { AddOnApiVersion, HubVersionName } from '../ocm/hub-version.ts';
import { SettingsFile, type Located } from './settings-file.ts';
import { readSettingsText } from './settings-text.ts';

/** The file at the top of a workspace with everything that is a property of the repository rather than of one run. */
export const settingsFile = 'fleetwright.yaml';

/** What a workspace contains, and what it is compiled for. */
export interface WorkspaceSettings {
  /** Folder of the apps, relative to the workspace. */
  readonly apps: string;
  /** Output folder of synth, relative to the workspace. */
  readonly out: string;
  /** The fleet snapshot of apps without a separate one, relative to the workspace. @default - searched for by name */
  readonly fleet: readonly Located<string>[] | undefined;
  readonly engine: Engine | undefined;
  readonly hubVersion: HubVersionName | undefined;
  readonly apiVersion: AddOnApiVersion | undefined;
  /** Cluster labels by which a plan counts clusters. */
  readonly by: readonly string[];
}

const defaultSettings: WorkspaceSettings = {
  apps: 'apps',
  out: 'dist',
  fleet: undefined,
  engine: undefined,
  hubVersion: undefined,
  apiVersion: undefined,
  by: [],
};

/**
 * Reads the settings of a workspace.
 *
 * @param root - the top folder of the workspace
 * @throws UserError, DiagnosedError as `readPolicies`
 */
export async function readWorkspaceSettings(root: string): Promise<WorkspaceSettings> {
  const text = await readSettingsText(settingsFile, root);
  if (text === undefined) return defaultSettings;
  const file = SettingsFile.parse(settingsFile, text);
  const { apps, out, engine, hubVersion, apiVersion, plan } = file.written;
  const folder = typeof apps === 'object' ? apps.folder : apps;
  const fleet = fleetOf(file);
  mustBeInside(file, [typeof apps === 'object' ? ['apps', 'folder'] : ['apps'], folder]);
  mustBeInside(file, [['out'], out]);
  for (const { value } of fleet ?? []) mustBeInside(file, [['fleet'], value]);
  return {
    apps: withoutSlash(folder ?? defaultSettings.apps),
    out: withoutSlash(out ?? defaultSettings.out),
    fleet,
    engine,
    hubVersion,
    apiVersion,
    by: listOf(plan?.by),
  };
}

function fleetOf(file: SettingsFile): readonly Located<string>[] | undefined {
  const { fleet } = file.written;
  const isPath = typeof fleet === 'string' || Array.isArray(fleet);
  const at = isPath ? ['fleet'] : ['fleet', 'path'];
  const paths = isPath ? fleet : (fleet as { readonly path?: string | readonly string[] } | undefined)?.path;
  if (paths === undefined) return undefined;
  return typeof paths === 'string'
    ? [{ value: paths, location: file.locate(at) }]
    : file.located(at, paths as readonly string[]);
}

/** A pull request can edit the file: a path must not lead to other files of the machine that compiles it. */
function mustBeInside(file: SettingsFile, [at, given]: readonly [FieldPath, string | undefined]): void {
  if (given === undefined) return;
  if (path.isAbsolute(given) || path.normalize(given).split(path.sep)[0] === '..')
    throw file.wrong(at, `leads outside of the workspace`, 'use a path below the folder of this file');
}

/** A trailing slash is common for folders. */
function withoutSlash(folder: string): string {
  return folder.replace(/(?<=.)\/+$/, '');
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

import type { Engine } from '../../compiler/index.ts';
import type { AddOnApiVersion, HubVersionName } from '../../ocm/hub-version.ts';
import { defaultHistoryLimits, historyLimitsOf, type HistoryLimits } from './history-limits.ts';
import { equalHubsOf, hubsOf, type EqualHubs, type WorkspaceHub } from './hubs.ts';
import { kustomizeSettingsOf, noKustomizeSettings, type KustomizeSettings } from './kustomize-settings.ts';
import { mustBeInside, mustBeOutput, withoutSlash } from './settings-paths.ts';
import type { Host } from '../host.ts';
import { defaultSettings } from './default-settings.ts';
import type { Located, SettingsFile, WrittenSettings } from './settings-file.ts';
import { readSettingsFile } from './settings-files.ts';

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
  readonly engine: Engine;
  readonly hubVersion: HubVersionName;
  readonly apiVersion: AddOnApiVersion;
  /** Cluster labels by which a plan counts clusters. */
  readonly by: readonly string[];
  /** The hubs, in the order in which they are written. Empty if the workspace has one hub without a name. */
  readonly hubs: readonly WorkspaceHub[];
  /** Hubs that must have the same configuration. */
  readonly equal: readonly EqualHubs[];
  readonly kustomize: KustomizeSettings;
  readonly historyLimits: HistoryLimits;
  /** Names of the apps that are to run without confinement. Whether they do is for the policies to say. */
  readonly unconfined: readonly string[];
  /** The hub that the other settings are for. @default - the hub has no name */
  readonly hub?: WorkspaceHub;
}

const noSettings: WorkspaceSettings = {
  ...targets({}),
  apps: defaultSettings.apps,
  out: defaultSettings.out,
  fleet: undefined,
  by: [],
  hubs: [],
  equal: [],
  kustomize: noKustomizeSettings,
  historyLimits: defaultHistoryLimits,
  unconfined: [],
};

/**
 * Reads the settings of a workspace, with all defaults.
 *
 * @param host - its working folder is the top folder of the workspace
 * @throws UserError, DiagnosedError as `readPolicies`
 */
export async function readWorkspaceSettings(
  host: Pick<Host, 'cwd' | 'settingsFiles'>,
): Promise<WorkspaceSettings> {
  const file = await readSettingsFile(settingsFile, host);
  if (file === undefined) return noSettings;
  const { apps, out, plan } = file.written;
  const folder = typeof apps === 'object' ? apps.folder : apps;
  const fleet = fleetOf(file);
  mustBeInside(file, [typeof apps === 'object' ? ['apps', 'folder'] : ['apps'], folder]);
  mustBeOutput(file, [['out'], out]);
  for (const { value } of fleet ?? []) mustBeInside(file, [['fleet'], value]);
  const settings = {
    apps: withoutSlash(folder ?? defaultSettings.apps),
    out: withoutSlash(out ?? defaultSettings.out),
    fleet,
    ...targets(file.written),
    by: listOf(plan?.by),
  };
  return {
    ...settings,
    hubs: hubsOf(file, settings),
    equal: equalHubsOf(file),
    kustomize: kustomizeSettingsOf(file),
    historyLimits: historyLimitsOf(file.written),
    unconfined: unconfinedApps(file.written),
  };
}

/**
 * Returns the settings for one hub of the workspace.
 *
 * @param name - by default that of the only hub
 */
export function settingsOfHub(settings: WorkspaceSettings, name: string | undefined): WorkspaceSettings {
  const { hubs } = settings;
  const hub = name === undefined && hubs.length === 1 ? hubs[0] : hubs.find((each) => each.name === name);
  if (hub === undefined) return settings;
  const { out, fleet, engine, hubVersion, apiVersion } = hub;
  return { ...settings, out, fleet, engine, hubVersion, apiVersion, hub };
}

/** Returns the names of the apps that a file names under `apps.unconfined`. */
export function unconfinedApps({ apps }: WrittenSettings): readonly string[] {
  return (typeof apps === 'object' ? apps.unconfined : undefined) ?? [];
}

function targets({
  engine = defaultSettings.engine,
  hubVersion = defaultSettings.hubVersion,
  apiVersion = defaultSettings.apiVersion,
}: WrittenSettings): Pick<WorkspaceSettings, 'engine' | 'hubVersion' | 'apiVersion'> {
  return { engine, hubVersion, apiVersion };
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

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

import { checkNamedApps } from '../workspace/settings/named-apps.ts';
import path from 'node:path';
import type { Argv } from 'yargs';
import { type Diagnostic, hasErrors, type Resolution } from '../compiler/index.ts';
import { previewRelease } from '../workspace/settings/preview-release.ts';
import { existingApps, namedApps } from '../workspace/inputs/app-names.ts';
import {
  appsOption,
  fleetOption,
  listOption,
  readHubOptions,
  type AppsArgument,
  type HubArguments,
} from './options.ts';
import { hubSelectionOption, type HubSelection } from './hub-selection.ts';
import { HubReports, type Report } from './terminal/hub-reports.ts';
import { missingFleet, type ReadInventory } from '../workspace/inputs/missing-fleet.ts';
import { findingsReport } from './terminal/findings-report.ts';
import { resolveInputs } from '../workspace/inputs/resolve-inputs.ts';
import { type Terminal } from './terminal/terminal.ts';
import { hostsOfHubs, openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { UserError } from '../workspace/user-error.ts';
import type { CompileTarget } from '../workspace/output/compile-target.ts';

/** Arguments of commands that answer questions about apps, not about paths. */
export interface AppArguments extends AppsArgument, HubSelection {
  readonly app: readonly string[];
  readonly path: readonly string[];
  readonly fleet: readonly string[];
}

export function appOptions<T>(command: Argv<T>): Argv<T & AppArguments> {
  return appsOption(hubSelectionOption(command))
    .option('app', {
      ...listOption,
      describe: 'names or folders of apps',
      defaultDescription: 'all',
    })
    .option('path', {
      ...listOption,
      describe: "YAML files, folders, or an app's app.ts, instead of apps",
      defaultDescription: 'the apps',
    })
    .option('fleet', fleetOption('of each app'));
}

/** The arguments with all paths relative to the root of the workspace, and its settings as defaults. */
export interface AppsFromRoot extends AppArguments {
  readonly apps: string;
}

/** Returns the options with all paths relative to the root of the workspace. */
export function fromRoot<T extends AppArguments>(options: T, workspace: Workspace): T & AppsFromRoot {
  return {
    ...options,
    app: options.app.map((word) => (word.includes('/') || word === '.' ? workspace.path(word) : word)),
    apps: options.apps === undefined ? workspace.settings.apps : workspace.path(options.apps),
    path: options.path.map(workspace.path),
    fleet: options.fleet.map(workspace.path),
  };
}

/** An app that resolves. */
export interface AppResolution {
  /** Empty if paths were given. */
  readonly app: string;
  /** The hub, if the workspace has several. */
  readonly hub?: string;
  readonly target: CompileTarget;
  readonly resolution: Resolution;
}

/** The apps that were passed to a command. */
export interface ResolvedApps {
  readonly resolved: readonly AppResolution[];
  /** The names of the apps that do not resolve. Their errors were printed. */
  readonly failed: readonly string[];
}

/**
 * Resolves the apps or paths of the options for each hub that they select, relative to the workspace around the folder in which
 * the command was started.
 *
 * @throws UserError if there are no apps, or none of them resolves.
 */
export async function resolveFromRoot(
  options: AppArguments & HubArguments,
  terminal: Terminal,
): Promise<ResolvedApps> {
  const hosts = await hostsOfHubs(terminal, options.hub);
  const resolved: AppResolution[] = [];
  const failed = new Set<string>();
  const { host: inRoot } = await openWorkspace(terminal);
  const report = await findingsReport(inRoot);
  const reports = new HubReports((...findings) => report.print(...findings), hosts.length > 1);
  for (const host of hosts) {
    const workspace = await openWorkspace(host);
    const target = readHubOptions(options, workspace.settings);
    const inputs = fromRoot(options, workspace);
    await checkNamedApps(workspace.root, { ...workspace.settings, apps: inputs.apps });
    const read = await readApps(inputs, target, workspace.host, reports.ofHub(host.hub));
    resolved.push(...read.resolved);
    for (const app of read.failed) failed.add(app);
  }
  reports.print();
  report.end();
  if (resolved.length === 0) throw nothingResolved();
  return { resolved, failed: [...failed] };
}

/**
 * Resolves the apps, or the paths as one app. Prints the errors of apps that do not resolve. Other findings are not
 * printed: the user did not ask for them.
 *
 * @throws UserError if there are no apps, or none of them resolves.
 */
export async function resolveApps(
  options: AppsFromRoot,
  target: CompileTarget,
  terminal: Terminal,
): Promise<ResolvedApps> {
  const report = await findingsReport(terminal);
  const read = await readApps(options, target, terminal, (...findings) => report.print(...findings));
  report.end();
  if (read.resolved.length === 0) throw nothingResolved();
  return read;
}

/** Returns the error for apps of which none resolves. Their errors were printed. */
export function nothingResolved(): UserError {
  return new UserError('no input could be resolved, so there is no result');
}

async function readApps(
  { app, apps, path: paths, fleet }: AppsFromRoot,
  target: CompileTarget,
  terminal: Terminal,
  report: Report,
): Promise<ResolvedApps> {
  const { settings } = await openWorkspace(terminal);
  const { hub, hubs } = settings;
  const named = hub === undefined || hubs.length === 1 ? {} : { hub: hub.name };
  const units = paths.length > 0 ? [{ app: '', path: paths }] : await appPaths(app, apps, terminal.cwd);
  const resolved: AppResolution[] = [];
  const inventories: ReadInventory[] = [];
  const failed: string[] = [];
  for (const { app, path } of units) {
    const { resolution, diagnostics, texts } = await resolveInputs({ path, fleet }, target, terminal, {
      // Folders beside the apps may contain objects that the apps share.
      mayBeEmpty: paths.length === 0,
    });
    if (resolution !== undefined) {
      resolved.push({ app, ...named, target, resolution });
      const { inventory } = resolution;
      inventories.push(app === '' ? { inventory } : { app: path[0] ?? app, inventory });
      continue;
    }
    report(diagnostics.filter(isError), texts);
    failed.push(app);
  }
  report([...previewRelease(target.hub), ...missingFleet(inventories, hub?.name)], new Map());
  return { resolved, failed };
}

function isError(diagnostic: Diagnostic): boolean {
  return hasErrors([diagnostic]);
}

/** Returns the apps that the command line selects, with their folders. @throws UserError if there are none */
export async function appPaths(
  app: readonly string[],
  apps: string,
  cwd: string,
): Promise<{ app: string; path: string[] }[]> {
  const existing = existingApps(apps, cwd);
  const names = app.length > 0 ? namedApps(app, apps, existing, cwd) : existing;
  return names.map((name) => ({ app: name, path: [path.join(apps, name)] }));
}

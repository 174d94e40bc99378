import type { Argv } from 'yargs';
import { hubVersion, hubVersionNames, type AddOnApiVersion } from '../ocm/hub-version.ts';
import { UserError } from '../workspace/user-error.ts';
import type { CompileTarget } from '../workspace/output/compile-target.ts';
import { settingsFile, type WorkspaceSettings } from '../workspace/settings/settings.ts';
import type { HubAddress } from '../workspace/hub/connect-to-hub.ts';
import { defaultSettings } from '../workspace/settings/default-settings.ts';

/**
 * Orders the option groups: yargs prints groups in the order in which they are first declared. The subject of a
 * command comes before the hub.
 */
export function inHelpOrder<T>(command: Argv<T>): Argv<T> {
  return command.group([], 'Positionals:').group([], 'Options:');
}

/** The options that select the predicted hub and the time. */
export interface HubArguments {
  readonly 'hub-version': string | undefined;
  readonly 'api-version': string | undefined;
  readonly now: string | undefined;
}

const predictedHub = 'Predicted hub:';

/** Two releases, such as `1.2..1.3`: before and after an upgrade. */
const upgrades = hubVersionNames.flatMap((from, index) =>
  hubVersionNames.slice(index + 1).map((to) => `${from}..${to}`),
);

/** @param comparesReleases - whether the command compares two releases if `--hub-version` names both. @default false */
export function hubOptions<T>(command: Argv<T>, comparesReleases = false): Argv<T & HubArguments> {
  return inHelpOrder(command)
    .option('hub-version', {
      group: predictedHub,
      describe: comparesReleases
        ? 'OCM release of the hub, or both releases of an upgrade; no hub confirms 1.4 and 1.5'
        : 'OCM release of the hub; no hub confirms 1.4 and 1.5',
      type: 'string',
      choices: [...hubVersionNames, ...(comparesReleases ? upgrades : [])],
      defaultDescription: `hubVersion of ${settingsFile}, else ${defaultSettings.hubVersion}`,
    })
    .option('api-version', {
      group: predictedHub,
      describe: 'API version of add-on objects in the output',
      choices: ['v1alpha1', 'v1beta1'],
      defaultDescription: `apiVersion of ${settingsFile}, else ${defaultSettings.apiVersion}`,
    })
    .option('now', {
      group: predictedHub,
      describe: 'time of the prediction, such as 2026-01-31T12:00:00Z',
      type: 'string',
      defaultDescription: 'the latest time in the fleet snapshot, else the current time',
    });
}

/** Whether a command prints its timings. */
export interface TimingArguments {
  readonly timings: boolean;
}

export function timingOptions<T>(command: Argv<T>): Argv<T & TimingArguments> {
  return command.option('timings', {
    describe: 'print the time of each phase at the end',
    type: 'boolean',
    default: false,
  });
}

/** An option that takes one value each time it is given. */
export const listOption = { type: 'string', array: true, nargs: 1, default: [] as string[] } as const;

/** The folder of apps of a command. */
export interface AppsArgument {
  readonly apps: string | undefined;
}

export function appsOption<T>(command: Argv<T>): Argv<T & AppsArgument> {
  return command.option('apps', {
    describe: 'folder of the apps',
    type: 'string',
    defaultDescription: `apps of ${settingsFile}, else ${defaultSettings.apps}`,
  });
}

/** @param where - whose files are read by default */
export function fleetOption(where: 'beside the app' | 'of each app') {
  return {
    ...listOption,
    describe: 'fleet snapshot: a file or folder',
    defaultDescription: `fleet.yaml, fleet.json or fleet/ ${where}, else of the workspace`,
  } as const;
}

/** Adds the arguments of commands for one add-on on one cluster. */
export function clusterAndAddOn<T>(command: Argv<T>): Argv<T & { cluster: string; addon: string }> {
  return command
    .positional('cluster', { describe: 'name of the ManagedCluster', type: 'string', demandOption: true })
    .positional('addon', {
      describe: 'name of the ClusterManagementAddOn',
      type: 'string',
      demandOption: true,
    });
}

/** The inputs of a command. */
export interface InputArguments {
  readonly path: readonly string[];
  readonly fleet: readonly string[];
}

export function inputOptions<T>(command: Argv<T>): Argv<T & InputArguments> {
  return command
    .positional('path', {
      describe: "a YAML file, a folder, an app's app.ts, or - for standard input",
      type: 'string',
      array: true,
      default: [] as string[],
      defaultDescription: 'all apps of the workspace',
    })
    .option('fleet', fleetOption('beside the app'));
}

/** Returns the options of both states if `--hub-version` names two releases, else undefined. */
export function optionsOfReleases<T extends HubArguments>(
  options: T,
): { readonly base: T; readonly head: T } | undefined {
  const [from, to] = options['hub-version']?.split('..') ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { base: { ...options, 'hub-version': from }, head: { ...options, 'hub-version': to } };
}

/**
 * Returns the target of the options.
 *
 * @param settings - of the workspace: the defaults
 * @throws UserError if the hub does not serve the API version, or the time is invalid.
 */
export function readHubOptions(
  options: HubArguments,
  settings: Pick<WorkspaceSettings, 'hubVersion' | 'apiVersion'>,
): CompileTarget {
  const hub = hubVersion(
    hubVersionNames.find((name) => name === options['hub-version']) ?? settings.hubVersion,
  );
  const apiVersion = options['api-version'] ?? settings.apiVersion;
  const addOnApiVersion: AddOnApiVersion = apiVersion === 'v1beta1' ? 'v1beta1' : 'v1alpha1';
  if (!hub.addOnApiVersions.includes(addOnApiVersion)) {
    throw new UserError(`a hub of OCM ${hub.name} does not serve ${addOnApiVersion} of the add-on kinds`);
  }
  return { hub, addOnApiVersion, now: readTime(options.now) };
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : NaN;
  if (Number.isNaN(time))
    throw new UserError(`--now ${text} is not a valid time`, 'use the form 2026-01-31T12:00:00Z');
  return time;
}

/** Selects the policy file. */
export interface PolicyArguments {
  readonly policy: string | undefined;
}

export function policyOption<T>(command: Argv<T>): Argv<T & PolicyArguments> {
  return command.option('policy', {
    describe: 'file with policies and guardrails',
    type: 'string',
    defaultDescription: `${settingsFile}, if it exists`,
  });
}

const readHub = 'Connection to the hub:';

/** Options that select the hub to read. */
export function hubAddressOptions<T>(command: Argv<T>): Argv<T & HubAddress> {
  return inHelpOrder(command)
    .option('kubeconfig', {
      group: readHub,
      describe: 'kubeconfig of the hub',
      type: 'string',
      defaultDescription: 'KUBECONFIG, else ~/.kube/config',
    })
    .option('context', {
      group: readHub,
      describe: 'context in the kubeconfig',
      type: 'string',
      defaultDescription: 'the current context',
    });
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { resolutionFile } from '../../../compiler/emit/emit.ts';
import { addOnDeploymentConfigV1alpha1 } from '../../../../schemas/schemas.gen.ts';
import { appsIn } from '../../../workspace/inputs/app-names.ts';
import { readInputs } from '../../../workspace/inputs/inputs.ts';
import { planFormatNames } from '../plan/plan-formats.ts';
import { namedThing, type NamedThing } from './named-words.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { fleetOfWorkspace, openWorkspace } from '../../../workspace/workspace.ts';
import { fleetNames } from '../../../workspace/inputs/input-reader.ts';
import {
  readWorkspaceSettings,
  settingsOfHub,
  type WorkspaceSettings,
} from '../../../workspace/settings/settings.ts';

/** The words of a command line to complete. The last one may be incomplete. */
type CommandLine = readonly string[];

/** A command line up to the word that is completed. */
interface Asked {
  readonly words: CommandLine;
  readonly terminal: Terminal;
  /** The top folder of the workspace. */
  readonly root: string;
  readonly settings: WorkspaceSettings;
}

const namesOf: Readonly<Record<NamedThing, (asked: Asked) => Promise<readonly string[]>>> = {
  'add-on': addOnNames,
  app: otherAppNames,
  cluster: clusterNames,
  config: configNames,
  field: fieldNames,
  hub: hubNames,
  'plan format': async () => await Promise.resolve(planFormatNames),
};

/** Returns names of apps, clusters, add-ons and configurations if the last word is such a name; nothing otherwise. */
export async function namesFor(words: CommandLine, terminal: Terminal): Promise<readonly string[]> {
  const thing = namedThing(words);
  if (thing === undefined) return [];
  const { root, host } = await openWorkspace(terminal);
  return await namesOf[thing]({ words, terminal, root, settings: await readWorkspaceSettings(host) });
}

function valueOf(option: string, words: CommandLine): string | undefined {
  const at = words.indexOf(option);
  return at === -1 ? undefined : words[at + 1];
}

function appsFolder({ words, terminal, root, settings }: Asked): string {
  const given = valueOf('--apps', words);
  return given === undefined ? path.join(root, settings.apps) : path.resolve(terminal.cwd, given);
}

function appNames(asked: Asked): string[] {
  try {
    return appsIn(appsFolder(asked)) ?? [];
  } catch {
    return [];
  }
}

/** Returns the apps that the command line does not contain yet. */
async function otherAppNames(asked: Asked): Promise<string[]> {
  const named = new Set(asked.words.slice(2, -1));
  return appNames(asked).filter((name) => !named.has(name));
}

async function hubNames(asked: Asked): Promise<readonly string[]> {
  return await Promise.resolve(otherHubNames(asked));
}

/** Returns the hubs that the command line does not contain yet. */
function otherHubNames({ words, settings }: Asked): string[] {
  const named = new Set(words.slice(2, -1));
  return settings.hubs.map(({ name }) => name).filter((name) => !named.has(name));
}

/** Returns the settings of the hubs that the command line selects. */
function askedHubs({ words, settings }: Asked): readonly WorkspaceSettings[] {
  const hub = valueOf('--hub', words);
  if (hub !== undefined) return [settingsOfHub(settings, hub)];
  if (settings.hubs.length < 2) return [settingsOfHub(settings, undefined)];
  return settings.hubs.map(({ name }) => settingsOfHub(settings, name));
}

/** Returns the apps that the command line selects. */
function askedApps(asked: Asked): string[] {
  const app = valueOf('--app', asked.words);
  return app === undefined ? appNames(asked) : [app];
}

async function clusterNames(asked: Asked): Promise<string[]> {
  const { words, terminal } = asked;
  const folder = appsFolder(asked);
  const fleet = valueOf('--fleet', words) ?? valueOf('--path', words);
  const fleets: string[] = [];
  for (const settings of askedHubs(asked)) fleets.push(...(await fleetOfWorkspace(asked.root, settings)));
  const files =
    fleet === undefined
      ? [
          ...fleets.map((file) => path.join(asked.root, file)),
          ...askedApps(asked).flatMap((app) => fleetNames.map((name) => path.join(folder, app, name))),
        ]
      : [fleet];
  const names = new Set<string>();
  for (const file of files) {
    // a missing file has no clusters
    const { objects } = await readInputs([], [file], terminal).catch(() => ({ objects: [] }));
    for (const { object } of objects)
      if (object.kind === 'ManagedCluster') names.add(object.metadata.name ?? '');
  }
  return [...names].sort();
}

/** Returns the add-ons of the apps, as the last synth recorded them: no app has to run for that. */
async function addOnNames(asked: Asked): Promise<string[]> {
  const addOns = await resolvedAddOns(asked);
  return unique(addOns.map((addOn) => addOn['name']));
}

async function configNames(asked: Asked): Promise<string[]> {
  const addOns = await resolvedAddOns(asked);
  const configs = addOns.flatMap((addOn) =>
    mapsIn(addOn, 'groups').flatMap((group) => mapsIn(group, 'configs')),
  );
  return unique(configs.map((config) => config['name']));
}

async function resolvedAddOns(asked: Asked): Promise<JsonMap[]> {
  const apps = askedApps(asked);
  const files = askedHubs(asked).flatMap(({ out }) =>
    apps.map((app) => path.join(asked.root, out, app, resolutionFile)),
  );
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => {
    const document = parseDocument(text);
    const resolution: unknown = document.errors.length === 0 ? document.toJS() : undefined;
    return isJsonMap(resolution) ? mapsIn(resolution, 'addOns') : [];
  });
}

/** Returns the fields that a deployment config can set. */
async function fieldNames(): Promise<string[]> {
  return Object.keys(addOnDeploymentConfigV1alpha1.properties?.['spec']?.properties ?? {});
}

function mapsIn(object: JsonMap, field: string): JsonMap[] {
  const value = object[field];
  return isJsonList(value) ? value.filter(isJsonMap) : [];
}

function unique(names: readonly unknown[]): string[] {
  return [...new Set(names.filter((name) => typeof name === 'string'))].sort();
}

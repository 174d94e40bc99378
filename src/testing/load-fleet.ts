import path from 'node:path';
import { Construct } from 'constructs';
import { readInputs } from '../workspace/inputs/inputs.ts';
import { quietHost, type Host } from '../workspace/host.ts';
import { workspaceInputs } from '../workspace/workspace.ts';
import {
  type Diagnostic,
  latestTime,
  loadConstructs,
  type LoadedObject,
  type Surroundings,
} from '../compiler/index.ts';
import { diagnostic } from '../compiler/model/diagnostic.ts';
import { defaultHubVersion, hubVersion, type HubVersionName } from '../ocm/hub-version.ts';
import { collect } from '../../constructs/collect.ts';
import { Fleet, FleetError } from './fleet.ts';
import { UserError } from '../workspace/user-error.ts';

/** The inputs to test: the folder of an app, an `app.ts`, YAML files and folders, or the construct tree itself. */
export type FleetInputs = string | readonly string[] | Construct;

/** The options of `loadFleet`. */
export interface FleetOptions {
  /** The fleet snapshot: files or folders. @default - the fleet.yaml, fleet.json or fleet/ beside the app; none for a construct tree */
  readonly fleet?: string | readonly string[];
  /** The hub of the workspace whose fleet, facts and overlays are used. @default - the only hub */
  readonly hub?: string;
  /** OCM release of the hub. @default '1.3' */
  readonly hubVersion?: HubVersionName;
  /** The time to resolve for. @default - when the snapshot was taken, else the latest time in it, else the clock */
  readonly now?: Date;
  /** The folder that paths are relative to. @default - the working folder of the tests */
  readonly cwd?: string;
}

/**
 * Resolves a repository against its fleet snapshot, as the hub would.
 *
 * @throws FleetError if an input cannot be read or the API server would reject it; the message contains the findings
 */
export async function loadFleet(inputs: FleetInputs, options: FleetOptions = {}): Promise<Fleet> {
  const cwd = path.resolve(options.cwd ?? '.');
  const hub = hubVersion(options.hubVersion ?? defaultHubVersion);
  const { objects, diagnostics, time, surroundings } = await withSourceMaps(() =>
    read(inputs, listOf(options.fleet), { ...quietHost(cwd), ...(options.hub && { hub: options.hub }) }),
  );
  const now = options.now?.getTime() ?? time ?? Date.now();
  return new Fleet(objects, diagnostics, { hub, now, surroundings });
}

/**
 * Runs apps so that the locations of their constructs are lines of TypeScript. Locations are read from stack traces,
 * which test runners format in different ways, without the source maps of modules that they did not load.
 */
async function withSourceMaps(load: () => Promise<Read>): Promise<Read> {
  const format = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const wereEnabled = process.sourceMapsEnabled;
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  process.setSourceMapsEnabled(true);
  try {
    const loaded = await load();
    // A trace is formatted when it is first read.
    for (const { origin } of loaded.objects) void origin.location;
    return loaded;
  } finally {
    if (format !== undefined) Object.defineProperty(Error, 'prepareStackTrace', format);
    process.setSourceMapsEnabled(wereEnabled);
  }
}

interface Read {
  readonly objects: readonly LoadedObject[];
  readonly diagnostics: readonly Diagnostic[];
  readonly time: number | undefined;
  readonly surroundings: Surroundings;
}

async function read(inputs: FleetInputs, fleet: readonly string[], host: Host): Promise<Read> {
  try {
    const ofWorkspace = await workspaceInputs(host);
    if (!(inputs instanceof Object && Construct.isConstruct(inputs)))
      return await readInputs(listOf(inputs), fleet, host, ofWorkspace);
    const files = await readInputs([], fleet, host, ofWorkspace);
    const tree = readTree(inputs);
    const objects = [...tree.objects, ...files.objects];
    return {
      objects,
      diagnostics: [...tree.diagnostics, ...files.diagnostics],
      time: files.time ?? latestTime(objects),
      surroundings: files.surroundings,
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new FleetError(error.hint === undefined ? error.message : `${error.message}\n  ${error.hint}`);
  }
}

function readTree(tree: Construct): Pick<Read, 'objects' | 'diagnostics'> {
  const { objects, errors } = collect(tree);
  const loaded = loadConstructs(objects);
  const invalid = errors.map(({ construct, message }): Diagnostic =>
    diagnostic('FW9003', {
      message,
      location: { construct },
    }),
  );
  return { objects: loaded.value, diagnostics: [...invalid, ...loaded.diagnostics] };
}

function listOf(paths: string | readonly string[] | undefined): readonly string[] {
  return typeof paths === 'string' ? [paths] : (paths ?? []);
}

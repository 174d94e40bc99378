import { checkNamedApps } from '../workspace/settings/named-apps.ts';
import {
  hasErrors,
  type ExternalObject,
  type LoadedObject,
  type Resolution,
  resolve,
} from '../compiler/index.ts';
import { previewRelease } from '../workspace/settings/preview-release.ts';
import { asApplied } from '../workspace/hub/applied-objects.ts';
import { readAppsAndHub } from '../workspace/hub/apps-and-hub.ts';
import { openHub, type HubAddress, type OpenHub } from '../workspace/hub/connect-to-hub.ts';
import type { HubReader } from '../workspace/hub/hub-reader.ts';
import { readHub, type HubReading } from '../workspace/hub/hub-state.ts';
import type { CompileTarget } from '../workspace/output/compile-target.ts';
import type { Inputs } from '../workspace/inputs/inputs.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { appPaths, fromRoot, type AppArguments } from './app-resolutions.ts';
import { readHubOptions, type HubArguments } from './options.ts';
import { printText } from './terminal/print-diagnostics.ts';
import type { Terminal } from './terminal/terminal.ts';

/** A prediction for the fleet and the statuses of a hub. */
export interface HubResolution {
  readonly resolution: Resolution;
  readonly target: CompileTarget;
  /** The time of the resolution, in milliseconds since the epoch. */
  readonly now: number;
  readonly reader: HubReader;
  readonly connection: OpenHub;
  /** The objects of the hub. */
  readonly held: readonly LoadedObject[];
}

/**
 * Reads the hub, and resolves the apps for it. Returns undefined if the apps have errors, which are printed.
 *
 * @param reading - as for `readHub`
 * @throws HubError if the hub cannot be read
 */
export async function resolveForHub(
  options: AppArguments & HubArguments & HubAddress,
  started: Terminal,
  reading?: HubReading,
): Promise<HubResolution | undefined> {
  const { workspace, terminal, target, now } = await openFor(options, started);
  const { app, apps } = fromRoot(options, workspace);
  await checkNamedApps(workspace.root, { ...workspace.settings, apps });
  const units = await appPaths(app, apps, terminal.cwd);
  terminal.progress?.('read the hub …');
  const folders = units.flatMap((unit) => unit.path);
  const read = await readAppsAndHub(folders, addressIn(options, workspace), now, terminal, reading);
  terminal.progress?.('');
  const { inputs, written, external } = read;
  if (read.hub === undefined) {
    printText(inputs.diagnostics, inputs.texts, terminal);
    return undefined;
  }
  const { held, connection } = read.hub;
  const { reader } = connection;
  const state = { objects: [...held, ...written], texts: inputs.texts, external };
  const resolution = resolveState(state, { target, now }, terminal);
  return resolution && { resolution, target, now, reader, connection, held };
}

/**
 * Reads the hub, and resolves the objects that are applied to it. Returns undefined if one of them has errors, which are printed.
 *
 * @param reading - as for `readHub`
 * @throws HubError if the hub cannot be read
 */
export async function resolveApplied(
  options: HubArguments & HubAddress,
  started: Terminal,
  reading?: HubReading,
): Promise<HubResolution | undefined> {
  const { workspace, terminal, target, now } = await openFor(options, started);
  terminal.progress?.('read the hub …');
  const connection = await openHub(addressIn(options, workspace), terminal.cwd);
  const { reader } = connection;
  const held = await readHub(reader, [], now, reading);
  terminal.progress?.('');
  const state = { objects: asApplied(held), texts: new Map(), external: [] };
  const resolution = resolveState(state, { target, now }, terminal);
  return resolution && { resolution, target, now, reader, connection, held };
}

interface Opened extends Pick<HubResolution, 'target' | 'now'> {
  readonly workspace: Workspace;
  readonly terminal: Terminal;
}

async function openFor(options: HubArguments, started: Terminal): Promise<Opened> {
  const workspace = await openWorkspace(started);
  const target = readHubOptions(options, workspace.settings);
  const { now = started.now() } = target;
  return { workspace, terminal: workspace.host, target, now };
}

function addressIn({ context, kubeconfig }: HubAddress, { path }: Workspace): HubAddress {
  return { context, kubeconfig: kubeconfig && path(kubeconfig) };
}

/** What a prediction is made from. */
interface PredictedState {
  readonly objects: readonly LoadedObject[];
  readonly texts: Inputs['texts'];
  readonly external: readonly ExternalObject[];
}

/** Returns the resolution; undefined if an object has errors, which are printed. */
function resolveState(
  { objects, texts, external }: PredictedState,
  { target: { hub }, now }: Pick<HubResolution, 'target' | 'now'>,
  terminal: Terminal,
): Resolution | undefined {
  const { value, diagnostics } = resolve(objects, { now, hub, surroundings: { external, snapshots: [] } });
  printText(previewRelease(hub), texts, terminal);
  if (value === undefined) {
    const errors = diagnostics.filter((each) => hasErrors([each]));
    printText(errors, texts, terminal);
  }
  return value;
}

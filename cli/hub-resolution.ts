import { hasErrors, type LoadedObject, type Resolution, resolve } from '../compiler/index.ts';
import { previewRelease } from '../workspace/preview-release.ts';
import { readAppsAndHub } from '../workspace/hub/apps-and-hub.ts';
import type { HubAddress } from '../workspace/hub/connect-to-hub.ts';
import type { HubReader } from '../workspace/hub/hub-reader.ts';
import type { SnapshotKind } from '../workspace/hub/snapshot-objects.ts';
import type { CompileTarget } from '../workspace/compile-target.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { appPaths, fromRoot, type AppArguments } from './app-resolutions.ts';
import { readHubOptions, type HubArguments } from './options.ts';
import { printText } from './terminal/print-diagnostics.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The working tree, resolved for the fleet and the statuses of a hub. */
export interface HubResolution {
  readonly resolution: Resolution;
  readonly target: CompileTarget;
  /** The time of the resolution, in milliseconds since the epoch. */
  readonly now: number;
  readonly reader: HubReader;
  /** The objects of the hub. */
  readonly held: readonly LoadedObject[];
}

/**
 * Reads the hub, and resolves the apps for it. Returns undefined if the apps have errors, which are printed.
 *
 * @param clusterAddOns - as for `readHub`
 * @throws HubError if the hub cannot be read
 */
export async function resolveForHub(
  options: AppArguments & HubArguments & HubAddress,
  started: Terminal,
  clusterAddOns?: SnapshotKind,
): Promise<HubResolution | undefined> {
  const workspace = await openWorkspace(started);
  const { host: terminal, settings } = workspace;
  const target = readHubOptions(options, settings);
  const { hub, now = terminal.now() } = target;
  const { app, apps } = fromRoot(options, workspace);
  const units = await appPaths(app, apps, terminal.cwd);
  const { context, kubeconfig } = options;
  const address = { context, kubeconfig: kubeconfig && workspace.path(kubeconfig) };
  terminal.progress?.('read the hub …');
  const folders = units.flatMap((unit) => unit.path);
  const read = await readAppsAndHub(folders, address, now, terminal, clusterAddOns);
  terminal.progress?.('');
  const { inputs, written, external } = read;
  if (read.hub === undefined) {
    printText(inputs.diagnostics, inputs.texts, terminal);
    return undefined;
  }
  const { held, reader } = read.hub;
  const { value: resolution, diagnostics } = resolve([...held, ...written], {
    now,
    hub,
    surroundings: { external, snapshots: [] },
  });
  printText(previewRelease(hub), inputs.texts, terminal);
  if (resolution !== undefined) return { resolution, target, now, reader, held };
  const errors = diagnostics.filter((each) => hasErrors([each]));
  printText(errors, inputs.texts, terminal);
  return undefined;
}

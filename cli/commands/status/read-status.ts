import {
  compareWithHub,
  fleetStatus,
  type FleetStatus,
  hasErrors,
  onClusters,
  type Resolution,
  resolve,
} from '../../../compiler/index.ts';
import { didYouMean } from '../../../compiler/suggestion.ts';
import { readAppsAndHub } from '../../../workspace/hub/apps-and-hub.ts';
import type { HubAddress } from '../../../workspace/hub/connect-to-hub.ts';
import { observedClusterAddOns } from '../../../workspace/hub/hub-state.ts';
import { readStatusDetails } from '../../../workspace/hub/status-details.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { openWorkspace } from '../../../workspace/workspace.ts';
import { appPaths, fromRoot } from '../../app-resolutions.ts';
import type { HubSelection } from '../../hub-selection.ts';
import { readHubOptions, type AppsArgument, type HubArguments } from '../../options.ts';
import { printText } from '../../terminal/print-diagnostics.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** The arguments that select what is compared. */
export interface StatusArguments extends HubArguments, HubAddress, HubSelection, AppsArgument {
  readonly addon: string | undefined;
  readonly app: readonly string[];
  readonly cluster: readonly string[];
}

/**
 * Reads the hub and the working tree, and compares them. Returns undefined if the apps have errors, which are printed.
 *
 * @throws HubError if the hub cannot be read; UserError if the add-on or a cluster does not exist
 */
export async function readStatus(
  options: StatusArguments,
  started: Terminal,
): Promise<FleetStatus | undefined> {
  const workspace = await openWorkspace(started);
  const { host: terminal, settings } = workspace;
  const { hub, now = terminal.now() } = readHubOptions(options, settings);
  const { app, apps } = fromRoot({ ...options, path: [], fleet: [] }, workspace);
  const units = await appPaths(app, apps, terminal.cwd);
  const { context, kubeconfig } = options;
  const address = { context, kubeconfig: kubeconfig && workspace.path(kubeconfig) };
  terminal.progress?.('read the hub …');
  const folders = units.flatMap((unit) => unit.path);
  const read = await readAppsAndHub(folders, address, now, terminal, observedClusterAddOns);
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
  if (resolution === undefined) {
    const errors = diagnostics.filter((each) => hasErrors([each]));
    printText(errors, inputs.texts, terminal);
    return undefined;
  }
  const names = selectedAddOn(options, resolution);
  const all = compareWithHub({ resolution, held, now }, names);
  const clusters = selectedClusters(options, resolution);
  const compared = clusters === undefined ? all : onClusters(all, clusters);
  const details = await readStatusDetails(reader, compared);
  return fleetStatus({ resolution, held, now }, compared, details);
}

function selectedAddOn(
  { addon }: StatusArguments,
  { configuration, decisions }: Resolution,
): ReadonlySet<string> | undefined {
  if (addon === undefined) return undefined;
  if (configuration.has(addon)) return new Set([addon]);
  throw new UserError(
    `there is no add-on ${addon}`,
    decisions.clusters.has(addon)
      ? `for a cluster: status --cluster ${addon}`
      : didYouMean(addon, [...configuration.keys()], 'the add-ons are'),
  );
}

function selectedClusters(
  { cluster: names }: StatusArguments,
  { decisions }: Resolution,
): ReadonlySet<string> | undefined {
  const unknown = names.find((name) => !decisions.clusters.has(name));
  if (unknown === undefined) return names.length === 0 ? undefined : new Set(names);
  throw new UserError(
    `the hub has no cluster ${unknown}`,
    didYouMean(unknown, [...decisions.clusters.keys()], 'the clusters are'),
  );
}

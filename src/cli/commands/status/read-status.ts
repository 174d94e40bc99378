import {
  compareWithHub,
  fleetStatus,
  type FleetStatus,
  onClusters,
  type Resolution,
  type StatusInput,
} from '../../../compiler/index.ts';
import { isPlacedAsPredicted, placedStatus } from '../../../compiler/status/placed-status.ts';
import { UnappliedObjects } from '../../../compiler/status/unapplied.ts';
import { clusterKey } from '../../../promotion/decide/promotion.ts';
import { didYouMean } from '../../../compiler/model/suggestion.ts';
import type { HubAddress } from '../../../workspace/hub/connect-to-hub.ts';
import { observedClusterAddOns } from '../../../workspace/hub/hub-state.ts';
import { readLeftOnHub } from '../../../workspace/hub/left-on-hub.ts';
import { listingOnce } from '../../../workspace/hub/hub-lists.ts';
import { placedOnHub } from '../../../workspace/hub/placed-on-hub.ts';
import { contestedObjects } from '../../../workspace/hub/two-engines.ts';
import { readStatusDetails } from '../../../workspace/hub/status-details.ts';
import { waitingClusters } from '../../../promotion/git/waiting-clusters.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { openWorkspace } from '../../../workspace/workspace.ts';
import { resolveApplied, resolveForHub, type HubResolution } from '../../hub-resolution.ts';
import type { HubSelection } from '../../hub-selection.ts';
import type { AppsArgument, HubArguments } from '../../options.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** The arguments that select what is compared. */
export interface StatusArguments extends HubArguments, HubAddress, HubSelection, AppsArgument {
  readonly addon: string | undefined;
  readonly app: readonly string[];
  readonly cluster: readonly string[];
  /** Whether the objects on the hub are the prediction, and not the apps. */
  readonly applied: boolean;
}

/**
 * Reads the hub and the working tree, and compares them. Returns undefined if there are errors, which are printed.
 *
 * @throws HubError if the hub cannot be read; UserError if the add-on or a cluster does not exist
 */
export async function readStatus(
  options: StatusArguments,
  terminal: Terminal,
): Promise<FleetStatus | undefined> {
  const unread = new Set<string>();
  const reading = { clusterAddOns: observedClusterAddOns, unread };
  const resolved = options.applied
    ? await resolveApplied(options, terminal, reading)
    : await resolveForHub({ ...options, path: [], fleet: [] }, terminal, reading);
  if (resolved === undefined) return undefined;
  const { resolution, target, now, held, reader } = resolved;
  const names = selectedAddOn(options, resolution);
  const all = compareWithHub({ resolution, held, now }, names);
  const clusters = selectedClusters(options, resolution);
  const compared = clusters === undefined ? all : onClusters(all, clusters);
  const details = await readStatusDetails(reader, compared);
  for (const kind of details.unread) unread.add(kind);
  const lists = listingOnce(reader);
  const isPart = options.addon !== undefined || options.app.length + options.cluster.length > 0;
  const onHub = isPart || options.applied ? {} : await placedOnHub(lists, resolution, unread);
  const contested = (await contestedObjects(lists)).map(({ object, engines }) => ({ object, engines }));
  const allDetails = { of: details.of, unread: [...unread].sort(), contested };
  const input = { resolution, held, now, hub: target.hub };
  if (options.applied) return fleetStatus({ ...input, isApplied: true }, compared, allDetails);
  const promotionOf = await promotions(resolved, terminal);
  const status = fleetStatus({ ...input, promotionOf }, compared, allDetails);
  if (isPart) return status;
  const placed = placedStatus(resolution, onHub);
  return {
    ...status,
    asPredicted: status.asPredicted && isPlacedAsPredicted(placed),
    placed,
    leftOnHub: await readLeftOnHub(lists, await openWorkspace(terminal)),
  };
}

/** Returns a function with what an add-on on a cluster waits for, if a promotion holds its content back. */
async function promotions(
  { resolution, target, now, held }: HubResolution,
  terminal: Terminal,
): Promise<NonNullable<StatusInput['promotionOf']>> {
  const { root, settings } = await openWorkspace(terminal);
  const state = { root, settings, resolution, now, target: { ...target, engine: settings.engine } };
  const { clusters, outputs } = await waitingClusters(state);
  const unapplied = new Map(
    [...outputs].map(([app, objects]) => [app, UnappliedObjects.ofOutput(held, objects, target.hub)]),
  );
  return (addOn, suspect) => {
    const waiting = clusters.get(clusterKey(addOn.name, suspect.cluster));
    if (waiting === undefined) return undefined;
    return { ...waiting, unapplied: unapplied.get(waiting.app)?.of(addOn, suspect) ?? [] };
  };
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

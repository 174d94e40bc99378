import path from 'node:path';
import type { Diagnostic, Inventory } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { fleetCodes, hasFleet } from '../../compiler/model/needs-fleet.ts';
import { listed } from '../../compiler/model/words.ts';

/** The unit that a command read: an app, or the paths of the command line. */
export interface ReadInventory {
  /** The folder of the app, relative to the working folder; undefined for other paths. */
  readonly app?: string;
  readonly inventory: Inventory;
}

/** Maximum number of apps that the message names. */
const namedApps = 3;

/**
 * Reports once, for all inputs of a command, that there is no fleet snapshot: rules that need one are skipped, and no
 * cluster is predicted. Inputs without placements and add-ons need no fleet.
 *
 * @param hub - the name of the hub whose fleet is missing
 */
export function missingFleet(inputs: readonly ReadInventory[], hub?: string): readonly Diagnostic[] {
  const incomplete = inputs.filter(({ inventory }) => needsFleet(inventory) && !hasFleet(inventory));
  const [first] = incomplete;
  if (first === undefined) return [];
  const folders = incomplete.flatMap(({ app }) => app ?? []);
  return [
    diagnostic('FW9013', {
      message: `${subject(folders)}, so no cluster is predicted and ${fleetCodes.size} rules that need a fleet were skipped`,
      hint: remedy(first.app, hub),
    }),
  ];
}

function needsFleet({ clusterManagementAddOns, managedClusterAddOns, placements }: Inventory): boolean {
  return clusterManagementAddOns.size + managedClusterAddOns.size + placements.size > 0;
}

function subject(folders: readonly string[]): string {
  const names = folders.map((folder) => path.basename(folder));
  if (names.length === 0) return 'there is no fleet snapshot';
  if (names.length === 1) return `app ${listed(names)} has no fleet snapshot`;
  const rest = names.length - namedApps;
  if (rest <= 0) return `apps ${listed(names)} have no fleet snapshot`;
  return `${names.length} apps have no fleet snapshot: ${names.slice(0, namedApps).join(', ')} and ${rest} more`;
}

/** `fleet pull` writes the snapshot of the workspace, which all its apps share. */
function remedy(app: string | undefined, hub: string | undefined): string {
  if (hub !== undefined) return `fleetwright fleet pull --hub ${hub}`;
  return app === undefined
    ? 'fleetwright fleet pull --out fleet.yaml, then add --fleet fleet.yaml'
    : 'fleetwright fleet pull';
}

import { hubVersion, type LoadedObject } from '../compiler/index.ts';
import type { HubVersion } from '../ocm/hub-version.ts';
import { readInputs } from '../workspace/inputs/inputs.ts';
import { settingsOfHub } from '../workspace/settings/settings.ts';
import { fleetOfWorkspace, type Workspace } from '../workspace/workspace.ts';
import { waveGroups, type WaveGroup } from './commands/new/wave-groups.ts';

/** The fleet snapshot of one hub of a workspace. */
export interface WorkspaceFleet {
  readonly hub: HubVersion;
  readonly objects: readonly LoadedObject[];
  /** Milliseconds since the epoch, if the snapshot has a time. */
  readonly time: number | undefined;
}

/** Returns the fleet of each hub of a workspace that has one. */
export async function fleetsOf({ root, settings, host }: Workspace): Promise<readonly WorkspaceFleet[]> {
  const ofHubs =
    settings.hubs.length > 1 ? settings.hubs.map(({ name }) => settingsOfHub(settings, name)) : [settings];
  const fleets: WorkspaceFleet[] = [];
  for (const each of ofHubs) {
    const files = await fleetOfWorkspace(root, each);
    if (files.length === 0) continue;
    const { objects, time } = await readInputs([], files, host, { isPartial: true });
    fleets.push({ hub: hubVersion(each.hubVersion), objects, time });
  }
  return fleets;
}

/** Returns the groups of clusters of a workspace's fleet that are updated first; undefined if it has no fleet. */
export async function groupsOfFleet(workspace: Workspace): Promise<readonly WaveGroup[] | undefined> {
  const fleets = await fleetsOf(workspace);
  return fleets.length === 0 ? undefined : groupsIn(fleets);
}

/** Returns the groups of clusters that are updated first. */
export function groupsIn(fleets: readonly WorkspaceFleet[]): readonly WaveGroup[] {
  return waveGroups(
    fleets.map(({ objects }) =>
      objects
        .filter(({ object }) => object.kind === 'ManagedCluster')
        .map(({ object }) => object.metadata.labels ?? {}),
    ),
  );
}

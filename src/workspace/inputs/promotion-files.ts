import path from 'node:path';
import { existingEntries, existingPath, permissionDenied } from '../existing-path.ts';
import type { WorkspaceSettings } from '../settings/settings.ts';

/** Returns the folder of the promotion files of a hub, relative to the workspace. */
export function promotionsFolder({ hub, hubs }: Pick<WorkspaceSettings, 'hub' | 'hubs'>): string {
  return hub === undefined || hubs.length < 2 ? 'promotions' : path.join('promotions', hub.name);
}

/** Returns the promotion file of an app, relative to the workspace. */
export function promotionFile(app: string, settings: Pick<WorkspaceSettings, 'hub' | 'hubs'>): string {
  return path.join(promotionsFolder(settings), `${app}.yaml`);
}

/**
 * Returns the names of the apps that have a promotion file, sorted.
 *
 * @throws UserError if the user may not read the folder: without its promotions, all clusters would get everything at once
 */
export function promotedApps(
  root: string,
  settings: Pick<WorkspaceSettings, 'hub' | 'hubs'>,
): readonly string[] {
  const folder = path.join(root, promotionsFolder(settings));
  const entries = existingEntries(folder);
  if (entries === undefined && existingPath(folder)?.isDirectory() === true) throw permissionDenied(folder);
  return (entries ?? []).flatMap(({ name }) => /^([^.].*)\.yaml$/.exec(name)?.[1] ?? []).sort();
}

import path from 'node:path';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { appsIn } from '../inputs/app-names.ts';
import { UserError } from '../user-error.ts';
import type { WorkspaceSettings } from './settings.ts';

/** The settings that name apps. */
type NamingSettings = Pick<WorkspaceSettings, 'apps' | 'historyLimits' | 'kustomize' | 'unconfined'>;

/**
 * Refuses settings for an app that does not exist. Commands that read the apps of a workspace call it. Those that can create the app
 * or mend the settings do not.
 *
 * @param root - the top folder of the workspace
 * @throws UserError
 */
export async function checkNamedApps(
  root: string,
  { apps, historyLimits, kustomize, unconfined }: NamingSettings,
): Promise<void> {
  const bySetting = {
    'apps.unconfined': unconfined,
    'kustomize.apps': [...kustomize.apps.keys()],
    'revisionHistoryLimit.apps': [...historyLimits.apps.keys()],
  };
  const named = Object.values(bySetting).flat();
  if (named.length === 0) return;
  const existing = appsIn(path.join(root, apps)) ?? [];
  for (const [setting, names] of Object.entries(bySetting)) {
    const unknown = names.find((app) => !existing.includes(app));
    if (unknown === undefined) continue;
    throw new UserError(
      `${setting} in fleetwright.yaml names app ${unknown}, which does not exist`,
      didYouMean(unknown, existing, 'the apps are'),
    );
  }
}

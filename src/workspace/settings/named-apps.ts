import { didYouMean } from '../../compiler/model/suggestion.ts';
import { UserError } from '../user-error.ts';
import type { HistoryLimits } from './history-limits.ts';
import type { KustomizeSettings } from './kustomize-settings.ts';

/** @throws UserError if settings are for an app that does not exist */
export function checkNamedApps(
  {
    historyLimits,
    kustomize,
  }: { readonly historyLimits: HistoryLimits; readonly kustomize: KustomizeSettings },
  existing: readonly string[],
): void {
  const bySetting = { 'revisionHistoryLimit.apps': historyLimits.apps, 'kustomize.apps': kustomize.apps };
  for (const [setting, apps] of Object.entries(bySetting)) {
    const unknown = [...apps.keys()].find((app) => !existing.includes(app));
    if (unknown === undefined) continue;
    throw new UserError(
      `${setting} in fleetwright.yaml names app ${unknown}, which does not exist`,
      didYouMean(unknown, existing, 'the apps are'),
    );
  }
}

import { defaultSettings } from './default-settings.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { UserError } from '../user-error.ts';
import type { WrittenSettings } from './settings-file.ts';

/** The numbers of earlier revisions and of removed objects that the outputs of apps keep. */
export interface HistoryLimits {
  readonly default: number;
  /** By the name of the app. */
  readonly apps: ReadonlyMap<string, number>;
}

/** The limits of a workspace without settings. */
export const defaultHistoryLimits: HistoryLimits = {
  default: defaultSettings.revisionHistoryLimit,
  apps: new Map(),
};

export function historyLimitsOf({ revisionHistoryLimit: written = {} }: WrittenSettings): HistoryLimits {
  if (typeof written === 'number') return { ...defaultHistoryLimits, default: written };
  return {
    default: written.default ?? defaultHistoryLimits.default,
    apps: new Map(Object.entries(written.apps ?? {})),
  };
}

/** @throws UserError if a limit is for an app that does not exist */
export function checkLimitedApps({ apps }: HistoryLimits, existing: readonly string[]): void {
  const unknown = [...apps.keys()].find((app) => !existing.includes(app));
  if (unknown === undefined) return;
  throw new UserError(
    `revisionHistoryLimit.apps in fleetwright.yaml names app ${unknown}, which does not exist`,
    didYouMean(unknown, existing, 'the apps are'),
  );
}

/** Returns the limit of an app. */
export function historyLimitOf(app: string, { apps, default: otherwise }: HistoryLimits): number {
  return apps.get(app) ?? otherwise;
}

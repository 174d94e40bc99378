import { defaultSettings } from './default-settings.ts';
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

/** Returns the limit of an app. */
export function historyLimitOf(app: string, { apps, default: otherwise }: HistoryLimits): number {
  return apps.get(app) ?? otherwise;
}

import type { Engine } from '../../compiler/index.ts';
import { defaultHistoryLimit } from '../../compiler/emit/history-limit.ts';
import { defaultHubVersion, type AddOnApiVersion, type HubVersionName } from '../../ocm/hub-version.ts';

/** What fleetwright.yaml means where it sets nothing. Nothing else has a default for one of its keys. */
export const defaultSettings: {
  readonly apps: string;
  readonly out: string;
  readonly engine: Engine;
  readonly hubVersion: HubVersionName;
  readonly apiVersion: AddOnApiVersion;
  /** One week: fleets change slowly, and a plan cannot warn of clusters that it does not know. */
  readonly maxAge: string;
  readonly revisionHistoryLimit: number;
} = {
  apps: 'apps',
  out: 'dist',
  engine: 'argocd',
  hubVersion: defaultHubVersion,
  apiVersion: 'v1alpha1',
  maxAge: '7d',
  revisionHistoryLimit: defaultHistoryLimit,
};

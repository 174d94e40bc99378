import { loadSettings, operationSettings, replicaSettings } from '../configuration/operation-settings.ts';
import { timingFaults } from '../configuration/replica-timing.ts';
import { duration, flag, integer, list, type SettingFault, type Values } from '../configuration/settings.ts';
import { certificateSettings } from './certificate-settings.ts';

/** Settings of `controller hub`. */
export const hubSettings = {
  ...operationSettings,
  ...replicaSettings,
  ...loadSettings,
  ...certificateSettings,
  shards: integer(1, 64, {
    describe: 'number of parts of the clusters that replicas serve separately; the same for all replicas',
    default: 1,
  }),
  maxSecretConfigs: integer(1, 10_000, {
    describe: 'maximum number of watched configuration Secrets; each one needs a connection',
    default: 500,
  }),
  preDeleteHooks: flag({
    describe: 'run the pre-delete hooks of add-ons with compiled delivery that request it',
    default: false,
  }),
  hookDeadline: duration('10s', '8760h', {
    describe: 'time after which pre-delete hooks that are not complete are reported',
    default: '1h',
  }),
  hookGiveUp: flag({
    describe: 'uninstall add-ons after --hook-deadline, even if their pre-delete hooks are not complete',
    default: false,
  }),
  tokenRegistration: flag({
    describe:
      'create the ServiceAccounts of agents that register with tokens, as the addon-manager of the hub does if it runs',
    default: false,
  }),
  addOn: list({
    describe: 'additional add-on to manage, without the annotation on its ClusterManagementAddOn; repeatable',
    default: [],
    defaultDescription: 'none',
  }),
};

export type HubSettings = Values<typeof hubSettings>;

/** Returns the faults of settings that do not fit together. */
export function hubFaults(settings: HubSettings): readonly SettingFault[] {
  const faults = timingFaults(settings);
  return settings.shards > 1 && !settings.leaderElection
    ? [...faults, { setting: 'shards', message: 'must be 1 without leaderElection' }]
    : faults;
}

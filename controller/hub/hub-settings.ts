import { loadSettings, operationSettings, replicaSettings } from '../configuration/operation-settings.ts';
import { list, whole, type Values } from '../configuration/settings.ts';
import { certificateSettings } from './certificate-settings.ts';

/** Settings of `controller hub`. */
export const hubSettings = {
  ...operationSettings,
  ...replicaSettings,
  ...loadSettings,
  ...certificateSettings,
  maxSecretConfigs: whole(1, 10_000, {
    describe: 'maximum number of Secrets that are followed as configurations; each costs a connection',
    default: 500,
  }),
  addOn: list({
    describe:
      'an add-on to look after though its ClusterManagementAddOn does not say so; may be given several times',
    default: [],
    defaultDescription: 'none',
  }),
};

export type HubSettings = Values<typeof hubSettings>;

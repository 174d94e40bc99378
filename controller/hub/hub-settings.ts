import { loadSettings, operationSettings, replicaSettings } from '../configuration/operation-settings.ts';
import { list, integer, type Values } from '../configuration/settings.ts';
import { certificateSettings } from './certificate-settings.ts';

/** Settings of `controller hub`. */
export const hubSettings = {
  ...operationSettings,
  ...replicaSettings,
  ...loadSettings,
  ...certificateSettings,
  maxSecretConfigs: integer(1, 10_000, {
    describe: 'maximum number of watched configuration Secrets; each one needs a connection',
    default: 500,
  }),
  addOn: list({
    describe: 'additional add-on to manage, without the annotation on its ClusterManagementAddOn; repeatable',
    default: [],
    defaultDescription: 'none',
  }),
};

export type HubSettings = Values<typeof hubSettings>;

import { hubVersionNames } from '../../ocm/hub-version.ts';
import { operationSettings } from '../configuration/operation-settings.ts';
import { duration, flag, integer, text, type SettingFault, type Values } from '../configuration/settings.ts';

/** Settings of `controller status`. */
export const statusSettings = {
  ...operationSettings,
  interval: duration('5s', '1h', {
    describe: 'time between two readings; at least four times the duration of the last one',
    default: '1m',
  }),
  staleAfter: duration('1m', '24h', {
    describe: 'time without a successful reading until it is unready; a longer reading is ended',
    default: '15m',
  }),
  maxAddOns: integer(1, 5000, {
    describe: 'maximum number of add-ons with separate metrics; the others are summed',
    default: 200,
  }),
  events: flag({
    describe: 'report changes of causes as Events on ManagedClusterAddOns',
    default: false,
  }),
  workspace: text<undefined>({
    describe: 'folder of the workspace whose apps are the prediction',
    default: undefined,
    defaultDescription: 'none: the objects on the hub are the prediction',
  }),
  hub: text<undefined>({
    describe: 'name of the hub in the workspace',
    default: undefined,
    defaultDescription: 'its only hub',
  }),
  hubVersion: text<undefined>(
    {
      describe: 'OCM release of the hub',
      default: undefined,
      defaultDescription: 'hubVersion of the workspace, else 1.3',
    },
    (name) =>
      hubVersionNames.some((each) => each === name) ? undefined : `one of ${hubVersionNames.join(', ')}`,
  ),
};

export type StatusSettings = Values<typeof statusSettings>;

/** Returns the faults of combinations of settings. */
export function statusFaults({
  interval,
  staleAfter,
  workspace,
  hub,
}: StatusSettings): readonly SettingFault[] {
  const faults: SettingFault[] = [];
  if (staleAfter < 2 * interval)
    faults.push({
      setting: 'staleAfter',
      message: `must be at least twice the interval, which is ${interval / 1000}s`,
    });
  if (hub !== undefined && workspace === undefined)
    faults.push({ setting: 'hub', message: 'names a hub of a workspace: set workspace too' });
  return faults;
}

import { expect, test } from 'vitest';
import {
  duration,
  flagOf,
  list,
  readSettings,
  integer,
} from '../../../src/controller/configuration/settings.ts';
import { hubSettings } from '../../../src/controller/hub/hub-settings.ts';

test('options win over the file, the file over the defaults', () => {
  const { value, problems } = readSettings(
    hubSettings,
    { listen: ':1', workers: 3 },
    { listen: ':2', logLevel: 'debug', leaderElection: false, addOn: ['hello'] },
  );
  expect(problems).toEqual([]);
  expect(value).toMatchObject({
    listen: ':1',
    workers: 3,
    logLevel: 'debug',
    leaderElection: false,
    addOn: ['hello'],
    leaseDuration: 15_000,
    kubeconfig: undefined,
  });
});

test('an invalid value is reported with the valid values', () => {
  const { problems } = readSettings(
    {
      size: integer(1, 9, { describe: '', default: 5 }),
      names: list({ describe: '', default: [] }),
      wait: duration('1s', '1h', { describe: '', default: '10m' }),
    },
    { size: 10 },
    { names: 'a', wait: '2d', sise: 3 },
  );
  expect(problems).toEqual([
    { setting: 'sise', from: 'file', message: 'is unknown', hint: 'the settings are names, size, wait' },
    { setting: 'size', from: 'flag', message: 'must be a whole number from 1 to 9' },
    { setting: 'names', from: 'file', message: 'must be a list of strings' },
    { setting: 'wait', from: 'file', message: 'must be a duration from 1s to 1h, such as 10m' },
  ]);
});

test('a property of every JavaScript object is not a setting', () => {
  expect(readSettings({}, {}, { toString: 'a', constructor: 'b' }).problems).toMatchObject([
    { setting: 'toString', message: 'is unknown' },
    { setting: 'constructor', message: 'is unknown' },
  ]);
});

test.each([
  ['500ms', 500],
  ['15s', 15_000],
  ['10m', 600_000],
  ['24h', 86_400_000],
])('%s is %i milliseconds', (written, ms) => {
  expect(duration('0ms', '24h', { describe: '', default: '1s' }).read(written)).toEqual({ value: ms });
});

test.each([':8080', '127.0.0.1:8080', '[::1]:0'])('%s is an address', (listen) => {
  expect(readSettings(hubSettings, { listen }, {}).problems).toEqual([]);
});

test.each(['8080', 'localhost', ':99999', ''])('%j is not an address', (listen) => {
  expect(readSettings(hubSettings, { listen }, {}).problems).toHaveLength(1);
});

test('flags are written with dashes', () => {
  expect(flagOf('leaderElectionNamespace')).toBe('leader-election-namespace');
});

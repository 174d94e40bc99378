import { expect, test } from 'vitest';
import { folderWith, runIn } from './terminal.ts';

const agent = async (...options: readonly string[]) =>
  await runIn(await folderWith({}), ['controller', 'agent', ...options]);

test.each([
  [[], 'missing --add-on\n  set the name of the add-on with --add-on'],
  [
    ['--add-on', 'a', '--no-heartbeat'],
    'nothing to do\n  enable --heartbeat, --credentials or --health-report',
  ],
  [
    ['--add-on', 'a', '--credentials'],
    'missing --hub-kubeconfig\n  set the kubeconfig of the hub with --hub-kubeconfig',
  ],
  [
    ['--add-on', 'a', '--health-report', '--hub-kubeconfig', 'hub'],
    'missing --cluster\n  set the name of this cluster on the hub with --cluster',
  ],
] as const)(
  'an agent with incomplete settings reports the missing settings: %j',
  async (options, message) => {
    expect(await agent(...options)).toEqual({ code: 2, out: '', err: `fleetwright: ${message}\n` });
  },
);

test('a probe of nothing that there is', async () => {
  const { code, err } = await agent('--add-on', 'a', '--probe', 'healthz');
  expect(code).toBe(2);
  expect(err).toContain(
    'FW9201: --probe must be http://HOST:PORT/PATH, tcp://HOST:PORT, deployment:NAME or exec:COMMAND',
  );
});

test('kubeconfigs that lead nowhere', async () => {
  const { code, err } = await agent('--add-on', 'a', '--kubeconfig', 'not-there');
  expect(code).toBe(2);
  expect(err).toContain('FW9004: ');
  expect(err).toContain('not-there cannot be read');
});

import { expect, test } from 'vitest';
import { folderWith, runIn } from './terminal.ts';

const agent = async (...options: readonly string[]) =>
  await runIn(await folderWith({}), ['controller', 'agent', ...options]);

test.each([
  [[], 'which add-on?\n  name it with --add-on'],
  [
    ['--add-on', 'a', '--no-heartbeat'],
    'there is nothing to do\n  leave --heartbeat on, or add --credentials or --health-report',
  ],
  [['--add-on', 'a', '--credentials'], 'where is the hub?\n  name a kubeconfig with --hub-kubeconfig'],
  [
    ['--add-on', 'a', '--health-report', '--hub-kubeconfig', 'hub'],
    'which cluster is this on the hub?\n  name it with --cluster',
  ],
] as const)('an agent that is told too little says what is missing: %j', async (options, said) => {
  expect(await agent(...options)).toEqual({ code: 2, out: '', err: `fleetwright: ${said}\n` });
});

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

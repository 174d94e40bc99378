import { expect, test } from 'vitest';
import { app } from '../plan/states.ts';
import { folderWith, runIn, type Ran } from '../../cli/terminal.ts';
import { fleet, hubAtRest, served } from './served-hub.ts';

async function explain(fleetText: string, ...options: readonly string[]): Promise<Ran> {
  const server = await served(hubAtRest(app, fleetText).objects);
  const cwd = await folderWith({
    kubeconfig: server.kubeconfig,
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleet,
  });
  return await runIn(cwd, ['explain', ...options]);
}

const address = ['--against', 'hub', '--kubeconfig', 'kubeconfig'];
const moved = fleet.replace('name: c4, labels: {"env":"stage"', 'name: c4, labels: {"env":"dev"');

test('--against hub explains the working tree for the labels that the hub has', async () => {
  const committed = await explain(moved, 'c4', 'hello');
  expect(committed.out).toContain('"default/stage" selects "c4"');
  const onHub = await explain(moved, 'c4', 'hello', ...address);
  expect(onHub.err).toBe('');
  expect(onHub.out).toContain('label env is "dev"');
  expect((await explain(moved, 'c4', ...address)).out).toContain('env=dev');
});

test('options that contradict each other are wrong use', async () => {
  expect(await explain(fleet, 'c4', '--kubeconfig', 'kubeconfig')).toMatchObject({
    code: 2,
    err: 'fleetwright: --kubeconfig and --context select a hub to read\n  add --against hub\n',
  });
  expect((await explain(fleet, 'c4', ...address, '--fleet', 'apps/hello/fleet.yaml')).err).toContain(
    'omit --path and --fleet',
  );
});

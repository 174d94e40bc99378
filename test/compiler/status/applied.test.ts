import { expect, test } from 'vitest';
import type { FleetStatus } from '../../../src/compiler/index.ts';
import { runIn, folderWith } from '../../cli/terminal.ts';
import { condition, hubAtRest, served, type HubObjects } from './served-hub.ts';

/** Runs `status --applied` in a folder without a workspace. */
async function applied({ objects }: HubObjects, ...options: readonly string[]) {
  const server = await served(objects);
  const cwd = await folderWith({ kubeconfig: server.kubeconfig });
  return await runIn(cwd, ['status', '--applied', '--kubeconfig', 'kubeconfig', ...options]);
}

test('without a workspace, the objects on the hub are the prediction', async () => {
  const { code, out, err } = await applied(hubAtRest());
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('everything is as predicted: 1 add-on, 5 installations');
});

test('pending changes, differences and unhealthy add-ons have the same causes', async () => {
  const hub = hubAtRest();
  hub.reportWork('c2', 'False', 'True', 'Apply failed with 1 conflict: conflict with "kubectl": .data.level');
  hub.report('c2', condition('ManifestApplied', 'False', 'AddonManifestAppliedFailed', 'failed'));
  hub.report('c3', condition('Available', 'False', 'ManagedClusterAddOnLeaseUpdateStopped', 'stopped'));
  hub.remove('ManagedClusterAddOn', 'hello', 'c4');
  const { code, out } = await applied(hub, '-o', 'json');
  expect(code).toBe(1);
  const { addOns, notInGit } = JSON.parse(out) as FleetStatus;
  expect(notInGit).toEqual([]);
  expect(addOns[0]?.classes.map(({ cause, clusters }) => [cause.code, ...clusters])).toEqual([
    ['namespace-missing', 'c4'],
    ['manifest-conflict', 'c2'],
    ['lease-not-renewed', 'c3'],
  ]);
});

test('the configuration of one cluster is part of the prediction', async () => {
  const hub = hubAtRest();
  const addOn = hub.get('ManagedClusterAddOn', 'hello', 'c5');
  const config = { group: 'addon.open-cluster-management.io', resource: 'addondeploymentconfigs' };
  addOn['spec'] = { configs: [{ ...config, namespace: 'default', name: 'prod' }] };
  const { code, out } = await applied(hub, '-o', 'json');
  expect(code).toBe(1);
  const [hello] = (JSON.parse(out) as FleetStatus).addOns;
  expect(hello?.classes.map(({ cause, clusters }) => [cause.code, ...clusters])).toEqual([
    ['hub-pending', 'c5'],
  ]);
});

test('it reads no apps', async () => {
  const { code, err } = await applied(hubAtRest(), '--app', 'hello');
  expect(code).toBe(2);
  expect(err).toBe('fleetwright: --applied reads no apps\n  omit --app, --apps and --hub\n');
});

import { expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const registered = app.replace('registration: []', 'registration: [{ type: KubeClient, kubeClient: {} }]');
const workspace = async (settings = '{}'): Promise<string> =>
  await folderWith({
    'apps/hello/hub.yaml': registered,
    'fleet.yaml': fleetOf(clusters),
    'fleetwright.yaml': settings,
  });

test('plan compares the working tree on two releases', async () => {
  const cwd = await workspace();
  const { out, code } = await runIn(cwd, ['plan', '--hub-version', '1.2..1.3']);
  expect(code).toBe(0);
  expect(out).toContain('because the release of the hub changed from OCM 1.2 to 1.3');
  expect(out).toContain('5 changed');
  const { out: json } = await runIn(cwd, ['plan', '--hub-version', '1.2..1.3', '-o', 'json']);
  expect(JSON.parse(json)).toMatchObject({ base: 'OCM 1.2', head: 'OCM 1.3' });
  expect((await runIn(cwd, ['plan', '--hub-version', '1.1..1.2'])).out).toContain('nothing changes');
});

test('two releases override the release of the settings', async () => {
  const cwd = await workspace('{ hubVersion: "1.1" }');
  const { out, err } = await runIn(cwd, ['plan', '--hub-version', '1.2..1.3']);
  expect(out).toContain('from OCM 1.2 to 1.3');
  expect(err).not.toContain('FW8031');
});

test('a release that does not serve the version of the output is an error', async () => {
  const cwd = await workspace('{ apiVersion: v1beta1 }');
  expect(await runIn(cwd, ['plan', '--hub-version', '1.1..1.3'])).toMatchObject({
    code: 2,
    err: 'fleetwright: a hub of OCM 1.1 does not serve v1beta1 of the add-on kinds\n',
  });
});

test('the releases are in the order of an upgrade', async () => {
  const cwd = await workspace();
  const { code, err } = await runIn(cwd, ['plan', '--hub-version', '1.3..1.2']);
  expect(code).toBe(2);
  expect(err).toContain('1.1..1.2');
});

const preview = registered
  .replace(
    'apiVersion: addon.open-cluster-management.io/v1alpha1\nkind: AddOnTemplate',
    'apiVersion: addon.open-cluster-management.io/v1beta1\nkind: AddOnTemplate',
  )
  .replace(
    'agentInstallNamespace: ""',
    "agentInstallNamespace: ''\n  replicaConfigs: [{ workloadID: 'deployments:agent', replicas: 2 }]",
  );

test('an object that only the later release accepts is an error of the earlier one', async () => {
  const cwd = await folderWith({
    'apps/hello/hub.yaml': preview,
    'fleet.yaml': fleetOf(clusters),
    'fleetwright.yaml': '{}',
  });
  const { code, err } = await runIn(cwd, ['plan', '--hub-version', '1.3..1.4']);
  expect(code).toBe(1);
  expect(err).toContain(
    'error FW2003: the hub does not serve AddOnTemplate in "addon.open-cluster-management.io/v1beta1"',
  );
  expect(err).toContain('error FW2005: unknown field "spec.replicaConfigs"');
  expect(err).toContain('OCM 1.3 cannot be resolved, so that there is no plan');
});

test.each([
  ['plan', '--hub-version', '1.3..1.4'],
  ['plan', '.', '.', '--hub-version', '1.4'],
  ['synth', '--hub-version', '1.4'],
  ['validate', '--hub-version', '1.4'],
  ['resolve', 'apps/hello', '--hub-version', '1.4'],
  ['rollout', 'apps/hello', '--hub-version', '1.4'],
  ['render', 'c1', 'hello', '--hub-version', '1.4'],
  ['explain', 'c1', 'hello', '--hub-version', '1.4'],
  ['machine', 'generate', 'apps/hello', '--hub-version', '1.4'],
])('%s %s %s %s reports once that no hub confirms the release', async (...command) => {
  const cwd = await workspace();
  const { err } = await runIn(cwd, command);
  expect(err.match(/FW1016: no hub of OCM 1\.4 has confirmed these predictions/g)).toHaveLength(1);
  const released = command.map((argument) => argument.replace('1.4', '1.3').replace('1.3..1.3', '1.2..1.3'));
  expect((await runIn(cwd, released)).err).not.toContain('FW1016');
});

test.each([
  [
    '1.4',
    "no hub of OCM 1.4 has confirmed these predictions: they follow OCM's source and the lists of the release",
  ],
  ['1.5', "OCM 1.5 does not exist yet: predictions follow the release before it and OCM's pull requests"],
])('the settings can select OCM %s', async (release, warning) => {
  const cwd = await workspace(`{ hubVersion: "${release}" }`);
  expect((await runIn(cwd, ['synth'])).err).toContain(`warning FW1016: ${warning}`);
});

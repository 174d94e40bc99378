import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { app, clusters, config, template } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const yaml = app + config('next', 'trace') + template('t2', '{ level: "{{LEVEL}}", new: "yes" }');
const files = { 'apps/hello/hub.yaml': yaml, 'apps/hello/fleet.yaml': fleetOf(clusters) };

describe('render --config', () => {
  test('renders with another configuration, as if the cluster named it', async () => {
    const folder = await folderWith(files);
    const rendered = async (...options: string[]): Promise<string> =>
      (await runIn(folder, ['render', 'c1', 'hello', ...options])).out;
    expect(await rendered()).toContain('level: warn\n');
    expect(await rendered('--config', 'default/next')).toContain('level: trace\n');
    expect(await rendered('--config', 't2', '--config', 'default/next')).toContain(
      'level: trace\n  new: "yes"\n',
    );
  });

  test('prints the objects that the hub creates for a cluster whose ManagedClusterAddOn names it', async () => {
    const folder = await folderWith({
      ...files,
      'own.yaml': `apiVersion: addon.open-cluster-management.io/v1beta1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec:
  configs:
  - { group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: next }
`,
    });
    const render = ['render', 'c1', 'hello', '-o', 'json', '--path', 'apps/hello'];
    const imagined = await runIn(folder, [...render, '--config', 'default/next']);
    const written = await runIn(folder, [...render, '--path', 'own.yaml']);
    expect(imagined).toEqual(written);
  });

  test.each([
    [
      ['--config', 'default/nothing'],
      'there is no AddOnDeploymentConfig default/nothing\n  there are "default/base", "default/prod" and "default/next"\n',
    ],
    [
      ['--config', 'next'],
      'there is no AddOnTemplate next\n  the templates are "t1" and "t2"; use namespace/name for an AddOnDeploymentConfig\n',
    ],
    [
      ['--config', 'default/next', '--config', 'default/base'],
      'the hub uses one template and one AddOnDeploymentConfig\n  use one of each\n',
    ],
  ])('refuses %j', async (options, message) => {
    const folder = await folderWith(files);
    expect(await runIn(folder, ['render', 'c1', 'hello', ...options])).toEqual({
      code: 2,
      out: '',
      err: `fleetwright: ${message}`,
    });
  });

  test('reports so if the hub configures nothing', async () => {
    const text = yaml.replace('metadata: { name: stage,', 'metadata: { name: staging,');
    const folder = await folderWith({ ...files, 'apps/hello/hub.yaml': text });
    expect(await runIn(folder, ['render', 'c1', 'hello', '--config', 't2'])).toMatchObject({
      code: 2,
      err: 'fleetwright: the hub does not configure hello on any cluster: placement default/stage not found\n',
    });
  });
});

describe('render --diff', () => {
  test('from the used configuration to another one', async () => {
    const folder = await folderWith(files);
    expect(await runIn(folder, ['render', 'c1', 'hello', '--config', 'default/next', '--diff'])).toEqual({
      code: 1,
      out: `--- ConfigMap agents/agent	as configured
+++ ConfigMap agents/agent	with default/next
@@ -4,4 +4,4 @@
   name: agent
   namespace: agents
 data:
-  level: warn
+  level: trace
`,
      err: '',
    });
    expect(await runIn(folder, ['render', 'c1', 'hello', '--diff', '--config', 'default/prod'])).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  });

  test('from another folder, which represents this one', async () => {
    const folder = await folderWith({
      ...files,
      'old/apps/hello/hub.yaml': yaml.replace('"warn"', '"error"'),
      'old/apps/hello/fleet.yaml': fleetOf(clusters),
    });
    const outcome = {
      code: 1,
      out: `--- ConfigMap agents/agent	old
+++ ConfigMap agents/agent	this folder
@@ -4,4 +4,4 @@
   name: agent
   namespace: agents
 data:
-  level: error
+  level: warn
`,
      err: '',
    };
    const render = ['render', 'c1', 'hello', '--diff', 'old'];
    expect(await runIn(folder, render)).toEqual(outcome);
    // A path from the root is read in the other folder too.
    expect(await runIn(folder, [...render, '--path', path.join(folder, 'apps/hello')])).toEqual(outcome);
    expect(await runIn(folder, [...render, '--config', 'default/base'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('this folder with default/base'),
    });
  });

  test('shows all of an add-on that the other side does not have', async () => {
    const folder = await folderWith({
      ...files,
      'old/apps/hello/hub.yaml': yaml.replaceAll('name: hello', 'name: hallo'),
      'old/apps/hello/fleet.yaml': fleetOf(clusters),
    });
    const { code, out, err } = await runIn(folder, ['render', 'c1', 'hello', '--diff', 'old']);
    expect({ code, err }).toEqual({ code: 1, err: 'old: hello is not installed on c1\n' });
    expect(out.split('\n', 3)).toEqual([
      '--- /dev/null',
      '+++ ConfigMap agents/agent\tthis folder',
      '@@ -0,0 +1,7 @@',
    ]);
  });

  test('compares nothing if one side does not resolve', async () => {
    const folder = await folderWith({
      ...files,
      'old/apps/hello/hub.yaml': 'kind: [',
      'old/apps/other/hub.yaml': config('base', 'info'),
    });
    const { code, out, err } = await runIn(folder, ['render', 'c1', 'hello', '--diff', 'old']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error FW1\d{3}: /);
    expect(err).toContain('fleetwright: old cannot be resolved, so there is nothing to compare\n');
    await rm(path.join(folder, 'old/apps'), { recursive: true });
    expect(await runIn(folder, ['render', 'c1', 'hello', '--diff', 'old'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: old: no folder apps\n  run the command in a workspace, or set the folder with --apps; fleetwright init creates a workspace\n',
    });
  });

  test.each([
    [
      ['c1', 'hello', '--diff'],
      '--diff needs a state to compare with\n  pass a Git revision or a folder, or another configuration with --config\n',
    ],
    [['c1', 'hello', '--diff', 'apps', '-o', 'json'], '--diff compares manifests as YAML\n  omit -o json\n'],
    [
      ['c1', 'hello', '--diff', 'apps', '--path', '-'],
      'standard input is the same in every state\n  pass files or folders with --path\n',
    ],
    [
      ['c9', 'hello', '--diff', '--config', 't2'],
      'the fleet has no cluster c9\n  the clusters are "c1", "c2", "c3", "c4", "c5" and 1 more\n',
    ],
    [['c1', 'hallo', '--diff', '--config', 't2'], 'there is no add-on hallo\n  did you mean "hello"?\n'],
  ])('refuses %j', async (parameters, message) => {
    const folder = await folderWith(files);
    expect(await runIn(folder, ['render', ...parameters])).toEqual({
      code: 2,
      out: '',
      err: `fleetwright: ${message}`,
    });
  });
});

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

/** From OCM 1.3 on, the hub copies such an annotation of a cluster to its add-ons. */
const fleet = fleetOf(clusters).replace(
  'name: c1',
  'name: c1, annotations: { addon.open-cluster-management.io/values: "{}" }',
);

async function plan(base: string, head: string, ...options: readonly string[]) {
  const cwd = await folderWith({
    'old/apps/hello/hub.yaml': app,
    'old/fleet.yaml': fleet,
    'old/fleetwright.yaml': base,
    'new/apps/hello/hub.yaml': app,
    'new/fleet.yaml': fleet,
    'new/fleetwright.yaml': head,
  });
  return await runIn(cwd, ['plan', 'old', 'new', ...options]);
}

describe('a change of hubVersion, apiVersion or engine', () => {
  test('is planned with the settings of each state, and reported: FW8031', async () => {
    const { code, out, err } = await plan("hubVersion: '1.2'", "hubVersion: '1.3'");
    expect(code).toBe(0);
    expect(out).toContain('changed on 1 cluster: c1');
    expect(err).toMatchInlineSnapshot(`
      "warning FW8031: the change edits hubVersion in fleetwright.yaml from 1.2 to 1.3; each state is compiled with its own
       --> ./fleetwright.yaml:1:1
        |
      1 | hubVersion: '1.3'
        | ^
        = hint: upgrade the hub before the change is applied: the setting only says what the output is for

      info FW8033: the hub counts the progress of placements differently: "selected clusters 5. configured addons 2/2 completed with no errors, 0 failed 0 timeout." for default/stage, before "2/5 progressing..., 0 failed 0 timeout."
       --> apps/hello/hub.yaml:3:1
        |
      3 | apiVersion: addon.open-cluster-management.io/v1alpha1
        | ^
        = object: ClusterManagementAddOn hello
        = field: status.installProgressions
        = hint: update whatever reads these messages

      info FW8033: the hub writes 5 ManagedClusterAddOns and their owner references in v1beta1, before in v1alpha1
       --> apps/hello/hub.yaml:5:1
        |
      5 | metadata: { name: hello }
        | ^
        = object: ClusterManagementAddOn hello
        = field: metadata
        = hint: update programs that read the API version of owner references, or that expect no healthCheck

      info FW8033: the output has the defaults of sortBy and scoreRateLimit in 2 Placements, which no release reads
        --> apps/hello/hub.yaml:26:1
         |
      26 | spec:
         | ^
         = object: Placement default/stage
         = field: spec
         = hint: run fleetwright synth after the upgrade

      1 warning, 3 info

      "
    `);
    const back = await plan("hubVersion: '1.3'", "hubVersion: '1.2'");
    expect(back.err).toContain('from 1.3 to 1.2');
    expect(back.out).not.toContain('nothing changes');
  });

  test('is reported for each of them', async () => {
    const { err } = await plan('engine: flux', 'apiVersion: v1beta1');
    expect(err).toContain('edits apiVersion in fleetwright.yaml from v1alpha1 to v1beta1');
    expect(err).toContain('edits engine in fleetwright.yaml from flux to argocd');
  });

  test('is not one if the default is written, or an option sets both', async () => {
    expect((await plan('', "hubVersion: '1.3'\nengine: argocd")).err).not.toContain('FW8031');
    const { out, err } = await plan("hubVersion: '1.2'", "hubVersion: '1.3'", '--hub-version', '1.3');
    expect(err).not.toContain('FW8031');
    expect(out).toContain('nothing changes');
  });
});

describe('machine generate', () => {
  const files = {
    'fleetwright.yaml':
      'engine: flux\napps: add-ons/here\npolicies: { never: { message: never, expression: "false" } }\n',
    'add-ons/here/hello/hub.yaml': app,
    'fleet.yaml': fleetOf(clusters),
  };

  test('checks the policies of the workspace, from any folder', async () => {
    const cwd = await folderWith(files);
    for (const [folder, given] of [
      ['.', 'add-ons/here/hello'],
      ['add-ons/here/hello', '.'],
      ['.', '.'],
    ] as const) {
      const { code, err } = await runIn(path.join(cwd, folder), ['machine', 'generate', given]);
      expect(code).toBe(1);
      expect(err).toContain('error FW7301: never');
    }
  });

  test('uses the engine of the workspace, unless an option names one', async () => {
    const cwd = await folderWith({ ...files, 'fleetwright.yaml': 'engine: flux\napps: add-ons/here\n' });
    const outputs = await Promise.all(
      [[], ['--engine', 'flux'], ['--engine', 'argocd']].map(
        async (options) => (await runIn(cwd, ['machine', 'generate', ...options])).out,
      ),
    );
    expect(outputs[0]).toBe(outputs[1]);
    expect(outputs[0]).not.toContain('argocd.argoproj.io');
    expect(outputs[2]).toContain('argocd.argoproj.io/sync-wave');
  });
});

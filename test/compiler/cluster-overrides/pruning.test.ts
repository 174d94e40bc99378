import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from '../../cli/terminal.ts';
import { fleetOf } from '../../resolve-text.ts';

const api = 'addon.open-cluster-management.io';

function app(clusters: readonly string[], override: string | undefined, type = 'Placements'): string {
  const placements = type === 'Manual' ? '[]' : '[{ name: all, namespace: default }]';
  const objects = [
    `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
`,
    `apiVersion: ${api}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: own, namespace: default }
spec: {}
`,
    `apiVersion: ${api}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello, annotations: ${override === undefined ? '{}' : `{ fleetwright.dev/override: ${override} }`} }
spec:
  supportedConfigs: [{ group: ${api}, resource: addondeploymentconfigs }]
  installStrategy: { type: ${type}, placements: ${placements} }
`,
    ...clusters.map(
      (cluster) => `apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster} }
spec: { configs: [{ group: ${api}, resource: addondeploymentconfigs, name: own, namespace: default }] }
`,
    ),
  ];
  return objects.join('---\n');
}

const fleet = fleetOf({ c1: {}, c2: {}, c3: {} });

async function synth(text: string, engine: string): Promise<{ err: string; folder: string }> {
  const folder = await folderWith({ 'apps/hello/app.yaml': text, 'apps/hello/fleet.yaml': fleet });
  const { code, err } = await runIn(folder, ['synth', '--engine', engine]);
  expect(code).toBe(0);
  return { err, folder };
}

function lines(err: string, code: string): string[] {
  return err.split('\n').filter((line) => line.includes(code));
}

describe('FW8009: ManagedClusterAddOns that Argo CD does not prune', () => {
  test('are those that install the add-on, all in one finding', async () => {
    const { err } = await synth(app(['c1'], undefined, 'Manual'), 'argocd');
    expect(lines(err, 'FW8009')).toEqual([
      'info FW8009: the ManagedClusterAddOn of "hello" remains on the hub when Git no longer has it: the add-on owns it, and Argo CD does not prune objects that have an owner',
    ]);
    expect(lines((await synth(app(['c1', 'c2'], undefined, 'Manual'), 'argocd')).err, 'FW8009')).toEqual([
      'info FW8009: 2 ManagedClusterAddOns of "hello" remain on the hub when Git no longer has them: the add-on owns them, and Argo CD does not prune objects that have an owner',
    ]);
  });

  test('are not overrides: synth removes their configurations first', async () => {
    for (const override of [undefined, 'placement', 'inventory'])
      expect(lines((await synth(app(['c1'], override), 'argocd')).err, 'FW8009')).toEqual([]);
  });

  test('are overrides too if nothing is written, as in the plugin of Argo CD', async () => {
    const { folder } = await synth(app(['c1'], undefined), 'argocd');
    const { err } = await runIn(path.join(folder, 'apps/hello'), ['machine', 'generate']);
    expect(lines(err, 'FW8009')).toHaveLength(1);
  });

  test('do not exist with Flux, or without an engine', async () => {
    expect(lines((await synth(app(['c1'], undefined, 'Manual'), 'flux')).err, 'FW8009')).toEqual([]);
    expect(lines((await synth(app(['c1'], undefined, 'Manual'), 'none')).err, 'FW8009')).toEqual([]);
  });
});

test('Flux is configured to keep the objects that the companion reverts', async () => {
  const { folder } = await synth(app(['c1'], 'inventory'), 'flux');
  const text = await readFile(
    path.join(folder, 'dist/hello/clusters/managedclusteraddon_c1_hello.yaml'),
    'utf8',
  );
  expect(text).toContain('kustomize.toolkit.fluxcd.io/prune: disabled\n');
});

describe('FW8010: plan warns about a removed ManagedClusterAddOn that is kept', () => {
  async function plan(before: string, after: string, engine: string): Promise<string[]> {
    const folder = await folderWith({
      'old/app.yaml': before,
      'old/fleet.yaml': fleet,
      'new/app.yaml': after,
      'new/fleet.yaml': fleet,
      'new/fleetwright.yaml': `engine: ${engine}\n`,
    });
    const { err } = await runIn(folder, ['plan', 'old', 'new']);
    const all = err.split('\n');
    const at = all.findIndex((line) => line.includes('FW8010'));
    return at < 0 ? [] : [all[at] ?? '', all.slice(at).find((line) => line.includes('hint')) ?? ''];
  }

  test('as Argo CD leaves an add-on installed', async () => {
    const [message, hint] = await plan(
      app(['c1', 'c2'], undefined, 'Manual'),
      app(['c2'], undefined, 'Manual'),
      'argocd',
    );
    expect(message).toBe(
      'warning FW8010: Argo CD leaves the ManagedClusterAddOn of "hello" on "c1": the add-on owns it, so the add-on stays installed',
    );
    expect(hint).toContain('kubectl -n c1 delete managedclusteraddon hello');
  });

  test('and not of overrides', async () => {
    for (const engine of ['argocd', 'flux'])
      expect(await plan(app(['c1'], undefined), app([], undefined), engine)).toEqual([]);
    expect(await plan(app(['c1'], 'placement'), app([], 'placement'), 'argocd')).toEqual([]);
    expect(await plan(app(['c1'], 'inventory'), app([], 'inventory'), 'argocd')).toEqual([]);
    expect(await plan(app(['c1'], undefined), app(['c1'], undefined), 'argocd')).toEqual([]);
  });
});

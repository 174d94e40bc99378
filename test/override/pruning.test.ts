import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from '../cli/terminal.ts';
import { fleetOf } from '../resolve-text.ts';

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

describe('FW8009: synth says what pruning does to overrides', () => {
  test('once for all of them', async () => {
    const { err } = await synth(app(['c1', 'c2'], undefined), 'argocd');
    expect(lines(err, 'FW8009')).toEqual([
      'info FW8009: 2 ManagedClusterAddOns of "hello" stay as they are on the hub when Git no longer has them: the add-on owns them, and Argo CD prunes nothing that has an owner',
    ]);
  });

  test('where they install the add-on too', async () => {
    const { err } = await synth(app(['c1'], undefined, 'Manual'), 'argocd');
    expect(lines(err, 'FW8009')).toEqual([
      'info FW8009: the ManagedClusterAddOn of "hello" stays as it is on the hub when Git no longer has it: the add-on owns it, and Argo CD prunes nothing that has an owner',
    ]);
    expect(lines((await synth(app(['c1'], undefined, 'Manual'), 'flux')).err, 'FW8009')).toEqual([]);
  });

  test('with Flux', async () => {
    const { err } = await synth(app(['c1'], undefined), 'flux');
    expect(lines(err, 'FW8009')).toEqual([
      'info FW8009: Flux deletes the ManagedClusterAddOn of "hello" when Git no longer has it, which uninstalls the add-on before the hub installs it again',
    ]);
  });

  test.each(['placement', 'inventory'])('and nothing where they go as %s', async (override) => {
    const { err } = await synth(app(['c1', 'c2'], override), 'argocd');
    expect(lines(err, 'FW8009')).toEqual([]);
  });

  test('and nothing where nothing is pruned', async () => {
    expect(lines((await synth(app(['c1'], undefined), 'none')).err, 'FW8009')).toEqual([]);
  });
});

test('Flux is told to leave what the companion takes back', async () => {
  const { folder } = await synth(app(['c1'], 'inventory'), 'flux');
  const text = await readFile(
    path.join(folder, 'dist/hello/clusters/managedclusteraddon_c1_hello.yaml'),
    'utf8',
  );
  expect(text).toContain('kustomize.toolkit.fluxcd.io/prune: disabled\n');
});

describe('FW8010: plan says that a removed override does not go', () => {
  async function plan(before: string, after: string, engine: string): Promise<string[]> {
    const folder = await folderWith({
      'old/app.yaml': before,
      'old/fleet.yaml': fleet,
      'new/app.yaml': after,
      'new/fleet.yaml': fleet,
      'new/fleetwright.yaml': `synth: { engine: ${engine} }\n`,
    });
    const { err } = await runIn(folder, ['plan', 'old', 'new']);
    const all = err.split('\n');
    const at = all.findIndex((line) => line.includes('FW8010'));
    return at < 0 ? [] : [all[at] ?? '', all.slice(at).find((line) => line.includes('hint')) ?? ''];
  }

  test('as Argo CD leaves it in force', async () => {
    expect(await plan(app(['c1', 'c2', 'c3'], undefined), app(['c3'], undefined), 'argocd')).toEqual([
      'warning FW8010: Argo CD leaves the ManagedClusterAddOn of "hello" on 2 clusters, "c1" among them: the add-on owns each, so what Git no longer says stays in force',
      expect.stringContaining(
        `kubectl -n c1 patch managedclusteraddon hello --type=merge -p '{"spec":{"configs":null}}'`,
      ),
    ]);
  });

  test('as Argo CD leaves an add-on installed', async () => {
    const [message, hint] = await plan(
      app(['c1', 'c2'], undefined, 'Manual'),
      app(['c2'], undefined, 'Manual'),
      'argocd',
    );
    expect(message).toContain('the ManagedClusterAddOn of "hello" on "c1": the add-on owns it');
    expect(hint).toContain('kubectl -n c1 delete managedclusteraddon hello');
  });

  test('as Flux uninstalls the add-on', async () => {
    const [message, hint] = await plan(app(['c1'], undefined), app([], undefined), 'flux');
    expect(message).toBe(
      'warning FW8010: Flux deletes the ManagedClusterAddOn of "hello" on "c1", which uninstalls the add-on there before the hub installs it again',
    );
    expect(hint).toContain(
      'kubectl -n c1 annotate managedclusteraddon hello kustomize.toolkit.fluxcd.io/prune=disabled',
    );
  });

  test('and nothing of overrides that go', async () => {
    expect(await plan(app(['c1'], 'placement'), app([], 'placement'), 'argocd')).toEqual([]);
    expect(await plan(app(['c1'], 'inventory'), app([], 'inventory'), 'argocd')).toEqual([]);
    expect(await plan(app(['c1'], undefined), app(['c1'], undefined), 'argocd')).toEqual([]);
  });
});

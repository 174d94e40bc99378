import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const api = 'addon.open-cluster-management.io';

interface App {
  /** The Placements of the namespace `default`, by name. */
  readonly placements?: readonly string[];
  /** Those that the add-on names. @default - all of them */
  readonly named?: readonly string[];
  readonly configs?: readonly string[];
  /** The configuration of each cluster that has one. */
  readonly overrides?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly description?: string;
}

function textOf({
  placements = ['all'],
  named = placements,
  configs = ['own'],
  overrides = {},
  type = 'Placements',
  description = 'an add-on',
}: App): string {
  return [
    ...placements.map(
      (name) => `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
`,
    ),
    ...configs.map(
      (name) => `apiVersion: ${api}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: default }
spec: {}
`,
    ),
    `apiVersion: ${api}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  addOnMeta: { description: ${description} }
  supportedConfigs: [{ group: ${api}, resource: addondeploymentconfigs }]
  installStrategy:
    type: ${type}
    placements: [${type === 'Manual' ? '' : named.map((name) => `{ name: ${name}, namespace: default }`).join(', ')}]
`,
    ...Object.entries(overrides).map(
      ([cluster, config]) => `apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster} }
spec: { configs: [{ group: ${api}, resource: addondeploymentconfigs, name: ${config}, namespace: default }] }
`,
    ),
  ].join('---\n');
}

const fleet = fleetOf({ c1: {}, c2: {} });

async function repository(app: App): Promise<string> {
  return await folderWith({ 'apps/hello/app.yaml': textOf(app), 'apps/hello/fleet.yaml': fleet });
}

async function synth(folder: string, app?: App, engine = 'argocd'): Promise<string> {
  if (app !== undefined) await writeFile(path.join(folder, 'apps/hello/app.yaml'), textOf(app));
  const { code, out } = await runIn(folder, ['synth', '--engine', engine]);
  expect(code).toBe(0);
  return out;
}

/** The objects in the output: the names of their files, sorted. */
async function objectsIn(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'dist/hello'), { recursive: true });
  return names.filter((name) => name.includes('_')).sort();
}

describe('an object that nothing names any more stays', () => {
  test('a placement that the add-on stops naming, and its configuration', async () => {
    const folder = await repository({ placements: ['all', 'old'], configs: ['own', 'old'] });
    await synth(folder);
    expect(await synth(folder, {})).toBe(
      'hello: 3 objects, 2 removed objects that clusters may use, 1 add-on, installed 2 times -> dist/hello\n',
    );
    const staying = await objectsIn(folder);
    expect(staying).toContain('placement_default_old.yaml');
    expect(staying).toContain('addondeploymentconfig_default_old.yaml');
    // What is committed is up to date, however often it is compiled again.
    expect(await synth(folder)).toContain('(unchanged)');
    expect((await runIn(folder, ['synth', '--check'])).code).toBe(0);
    // Later changes keep them, too: no commit knows what clusters still use.
    await synth(folder, { description: 'another one' });
    expect(await objectsIn(folder)).toEqual(staying);
  });

  test('but not objects that are still referenced, which something else manages now', async () => {
    const overrides = { c1: 'special' };
    const folder = await repository({ configs: ['own', 'special'], overrides });
    await synth(folder);
    const [special = ''] = textOf({ placements: [], configs: ['special'] }).split('---\n');
    await writeFile(path.join(folder, 'apps/hello/fleet.yaml'), `${fleet}---\n${special}`);
    await synth(folder, { overrides });
    expect(await objectsIn(folder)).not.toContain('addondeploymentconfig_default_special.yaml');
  });

  test('without an engine nothing is pruned, and nothing is kept', async () => {
    const folder = await repository({ configs: ['own', 'old'] });
    await synth(folder, undefined, 'none');
    await synth(folder, {}, 'none');
    expect(await objectsIn(folder)).not.toContain('addondeploymentconfig_default_old.yaml');
  });

  test('an object that another app now has was moved there', async () => {
    const folder = await repository({ configs: ['own', 'old'] });
    await synth(folder);
    const [, moved = ''] = textOf({ configs: ['old'] }).split('---\n');
    await writeFile(path.join(folder, 'apps/hello/app.yaml'), textOf({}));
    await runIn(folder, ['synth']);
    expect(await objectsIn(folder)).toContain('addondeploymentconfig_default_old.yaml');
    execFileSync('cp', ['-r', path.join(folder, 'apps/hello'), path.join(folder, 'apps/other')]);
    await writeFile(path.join(folder, 'apps/other/app.yaml'), moved);
    expect((await runIn(folder, ['synth'])).code).toBe(0);
    expect(await objectsIn(folder)).not.toContain('addondeploymentconfig_default_old.yaml');
  });
});

describe('a removed override', () => {
  const overridden: App = { configs: ['own', 'special'], overrides: { c1: 'special' } };
  const file = 'managedclusteraddon_c1_hello.yaml';

  test('is a ManagedClusterAddOn without configurations as long as the add-on is on the cluster', async () => {
    const folder = await repository(overridden);
    await synth(folder);
    await synth(folder, {});
    expect(await readFile(path.join(folder, 'dist/hello', file), 'utf8')).toBe(
      `apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata:
  name: hello
  namespace: c1
  labels:
    app.kubernetes.io/managed-by: fleetwright
spec:
  installNamespace: open-cluster-management-agent-addon
`,
    );
    expect(await objectsIn(folder)).toContain('addondeploymentconfig_default_special.yaml');
    await synth(folder, { description: 'another one' });
    expect(await objectsIn(folder)).toContain(file);
  });

  test('is one that Flux does not prune afterwards', async () => {
    const folder = await repository(overridden);
    await synth(folder, undefined, 'flux');
    await synth(folder, {}, 'flux');
    const text = await readFile(path.join(folder, 'dist/hello/clusters', file), 'utf8');
    expect(text).toContain('kustomize.toolkit.fluxcd.io/prune: disabled');
    expect(text).not.toContain('configs');
  });

  test('is removed immediately if the add-on leaves the cluster, and if it was the installation', async () => {
    const folder = await repository(overridden);
    await synth(folder);
    await writeFile(path.join(folder, 'apps/hello/fleet.yaml'), fleetOf({ c2: {} }));
    await synth(folder, {});
    expect(await objectsIn(folder)).not.toContain(file);
    const manual = await repository({ ...overridden, type: 'Manual' });
    await synth(manual);
    await synth(manual, { type: 'Manual' });
    expect(await objectsIn(manual)).not.toContain(file);
  });
});

describe('in a Git repository the last commit counts', () => {
  function git(folder: string, ...parameters: readonly string[]): void {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    execFileSync('git', [...identity, ...parameters], { cwd: folder, stdio: 'ignore' });
  }

  test('but not objects that synth has written since and that no cluster uses', async () => {
    const folder = await repository({ configs: ['own', 'a'] });
    git(folder, 'init');
    await synth(folder);
    git(folder, 'add', '.');
    git(folder, 'commit', '--message', 'first');
    for (const configs of [
      ['own', 'b'],
      ['own', 'c'],
    ])
      await synth(folder, { configs });
    const names = (await objectsIn(folder)).filter((name) => name.startsWith('addondeploymentconfig_'));
    expect(names).toEqual([
      'addondeploymentconfig_default_a.yaml',
      'addondeploymentconfig_default_c.yaml',
      'addondeploymentconfig_default_own.yaml',
    ]);
    git(folder, 'add', '.');
    git(folder, 'commit', '--message', 'second');
    expect((await runIn(folder, ['synth', '--check'])).code).toBe(0);
    // A folder that somebody deleted is made again as it was.
    await rm(path.join(folder, 'dist'), { recursive: true });
    await synth(folder);
    expect(await objectsIn(folder)).toContain('addondeploymentconfig_default_a.yaml');
  });
});

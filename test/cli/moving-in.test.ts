import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from './terminal.ts';

const config = (version: string): string => `apiVersion: addon.open-cluster-management.io/${version}
kind: AddOnDeploymentConfig
metadata: { name: a, namespace: ns }
spec: { customizedVariables: [{ name: A, value: b }] }
`;

test('validate reports versions that a release does not serve', async () => {
  const folder = await folderWith({ 'a.yaml': config('v1beta1'), 'b.yaml': config('v1alpha1') });
  const old = await runIn(folder, ['validate', 'a.yaml', '--hub-version', '1.1']);
  expect(old.code).toBe(1);
  expect(old.err).toContain(
    'error FW2003: OCM 1.1 does not serve AddOnDeploymentConfig in "addon.open-cluster-management.io/v1beta1"\n --> a.yaml:1:1\n',
  );
  expect(old.out).toContain('the API server accepts 0 of 1 object');
  for (const release of ['1.2', '1.3'])
    expect((await runIn(folder, ['validate', 'a.yaml', '--hub-version', release])).code).toBe(0);
  expect((await runIn(folder, ['validate', 'b.yaml', '--hub-version', '1.1'])).code).toBe(0);
});

test('plan of two folders reads the fleet of the current folder', async () => {
  const folder = await folderWith({
    'before/a.yaml': config('v1alpha1'),
    'after/a.yaml': config('v1alpha1'),
    'fleet.yaml':
      'apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: { name: c1 }\n',
  });
  const { code, out, err } = await runIn(folder, ['plan', 'before', 'after', '--fleet', 'fleet.yaml']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^plan: nothing changes on 1 cluster\n/);
});

describe('init --existing', () => {
  test('keeps files, merges .gitignore and package.json, and adds no example', async () => {
    const folder = await folderWith({
      'README.md': 'mine\n',
      '.gitignore': 'node_modules/\n*.log',
      'package.json': '{\n    "name": "ours",\n    "scripts": { "plan": "mine" }\n}\n',
      'tsconfig.json': 'mine\n',
      'hub/a.yaml': config('v1alpha1'),
    });
    const { code, out, err } = await runIn(folder, [
      'init',
      '--existing',
      '--yaml',
      '--ci',
      'none',
      '--gitops',
      'argocd',
    ]);

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('.gitignore, merged\n');
    expect(out).toContain('package.json: scripts.plan is "mine", init has "fleetwright plan HEAD --by env"');
    const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
    expect(read('README.md')).toBe('mine\n');
    expect(read('tsconfig.json')).toBe('mine\n');
    expect(read('.gitignore')).toBe('node_modules/\n*.log\n/plan.html\n/plan.md\n/plan.xml\n');
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    expect(manifest['name']).toBe('ours');
    expect(manifest['scripts']).toEqual({
      synth: 'fleetwright synth',
      check: 'fleetwright synth --check',
      plan: 'mine',
    });
    expect(manifest['dependencies']).toHaveProperty('fleetwright');
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(existsSync(path.join(folder, 'apps'))).toBe(false);
    expect(existsSync(path.join(folder, 'gitops/apps.yaml'))).toBe(true);

    const again = await runIn(folder, ['init', '--existing', '--yaml', '--ci', 'none', '--gitops', 'argocd']);
    expect(again.code).toBe(0);
    expect(again.out).not.toContain('merged');
    expect(again.out).not.toContain('gitops/apps.yaml exists');
  });

  test('prints what must be merged into objects of the engine, a workflow and settings that exist', async () => {
    const files = {
      'gitops/apps.yaml': 'kind: Application\n',
      '.github/workflows/fleetwright.yaml': 'on: push\n',
      'fleetwright.yaml': 'engine: argocd\n',
      'README.md': 'mine\n',
    };
    const folder = await folderWith(files);
    const { code, out, err } = await runIn(folder, [
      'init',
      '--existing',
      '--yaml',
      '--ci=github',
      '--gitops=argocd',
      '--repo-url=https://git.example.com/team/add-ons.git',
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const merged = (name: string): string =>
      out.split(`\n${name} exists, so merge this into it:\n`)[1]?.split(/\n\S/)[0] ?? '';
    expect(merged('gitops/apps.yaml')).toMatch(/^  kind: ApplicationSet$/m);
    expect(merged('gitops/apps.yaml')).toContain('https://git.example.com/team/add-ons.git');
    expect(merged('.github/workflows/fleetwright.yaml')).toMatch(/^  on:$/m);
    expect(merged('fleetwright.yaml')).toContain('  guardrails:');
    expect(out).not.toContain('README.md exists');
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(path.join(folder, name), 'utf8')).toBe(text);
  });

  test('writes nothing beside a package.json that is not JSON', async () => {
    const folder = await folderWith({ 'package.json': '{' });
    const { code, err } = await runIn(folder, ['init', '--existing', '--ci', 'none']);
    expect(code).toBe(2);
    expect(err).toContain('package.json is not JSON');
    expect(readdirSync(folder)).toEqual(['package.json']);
  });
});

test('init refuses an address that is not a URL, and gives Flux the key of an SSH address', async () => {
  const folder = await folderWith({});
  const refused = await runIn(folder, ['init', 'a', '--ci', 'none', '--repo-url', 'not a url']);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('--repo-url "not a url": not a URL of a repository');
  const ssh = ['--gitops', 'flux', '--repo-url', 'git@git.example.com:team/a.git'];
  expect((await runIn(folder, ['init', 'b', '--ci', 'none', ...ssh])).code).toBe(0);
  expect(readFileSync(path.join(folder, 'b/gitops/apps.yaml'), 'utf8')).toContain(
    'url: ssh://git@git.example.com/team/a.git\n  # flux create secret git b --url=ssh://git@git.example.com/team/a.git\n  secretRef:\n    name: b\n'.replaceAll(
      "'",
      '',
    ),
  );
});

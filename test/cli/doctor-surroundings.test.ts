import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkGit, checkNode } from '../../src/workspace/installation-checks.ts';
import { version } from '../../src/workspace/version.ts';
import { serve } from './api-server.ts';
import { folderWith, runIn } from './terminal.ts';

const withoutEngine = { 'fleetwright.yaml': 'engine: none\n' };
const messages = (err: string): readonly string[] =>
  [...err.matchAll(/^(?:warning|error) (FW\d+: .*)$/gm)].map(([, message = '']) => message);

describe('doctor', () => {
  test('reports a version of Node that the package does not support: FW9082', () => {
    const { engines } = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as { engines: { node: string } };
    expect(engines.node).toBe('^20.19.0 || ^22.12.0 || >=24.0.0');
    for (const running of ['v20.19.0', 'v20.20.2', 'v22.12.0', 'v24.0.0', 'v25.1.0', 'v26.0.0'])
      expect(checkNode(running)).toEqual([]);
    for (const running of ['v18.20.0', 'v20.18.3', 'v21.7.0', 'v22.11.9', 'v23.11.0'])
      expect(checkNode(running)).toEqual([
        {
          code: 'FW9082',
          severity: 'warning',
          message: `Node ${running.slice(1)} is not supported`,
          hint: 'install one of Node 20.19, 22.12, 24, or later',
        },
      ]);
  });

  test('reports a missing Git: FW9083', async () => {
    const cwd = await folderWith({});
    expect((await checkGit(cwd, { PATH: cwd })).map(({ code }) => code)).toEqual(['FW9083']);
    expect(await checkGit(cwd, process.env)).toEqual([]);
  });

  test('reports a repository without its history: FW9084', async () => {
    const cwd = await folderWith({ 'full/fleetwright.yaml': 'engine: none\n' });
    const git = (folder: string, ...words: readonly string[]): void => {
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      execFileSync('git', [...author, ...words], { cwd: path.join(cwd, folder), stdio: 'pipe' });
    };
    git('full', 'init', '-q');
    git('full', 'add', '-A');
    git('full', 'commit', '-qm', 'one');
    git('full', 'commit', '-qm', 'two', '--allow-empty');
    git('.', 'clone', '-q', '--depth', '1', `file://${cwd}/full`, 'shallow');
    expect(await runIn(path.join(cwd, 'full'), ['doctor'])).toEqual({
      code: 0,
      out: 'no GitOps engine to check\n',
      err: '',
    });
    const { code, err } = await runIn(path.join(cwd, 'shallow'), ['doctor']);
    expect(code).toBe(1);
    expect(messages(err)).toEqual([
      'FW9084: the repository has only a part of its history, so plan may not find the base of a change',
    ]);
  });

  const npmLock = (locked: string): string =>
    JSON.stringify({ packages: { 'node_modules/fleetwright': { version: locked } } });
  test.each([
    ['package-lock.json', npmLock],
    ['pnpm-lock.yaml', (locked: string) => `packages:\n\n  fleetwright@${locked}:\n    resolution: {}\n`],
    ['yarn.lock', (locked: string) => `"fleetwright@npm:^0.1.0":\n  version: ${locked}\n`],
  ])('reports another version than that of %s: FW9085', async (file, lock) => {
    const other = await runIn(await folderWith({ ...withoutEngine, [file]: lock('7.8.9') }), ['doctor']);
    expect(messages(other.err)).toEqual([`FW9085: Fleetwright ${version} is running, but ${file} has 7.8.9`]);
    expect((await runIn(await folderWith({ ...withoutEngine, [file]: lock(version) }), ['doctor'])).err).toBe(
      '',
    );
    expect((await runIn(await folderWith({ ...withoutEngine, [file]: '{' }), ['doctor'])).err).toBe('');
  });

  test('reports an old fleet snapshot: FW8007', async () => {
    const snapshot =
      'apiVersion: v1\nkind: List\nmetadata: { annotations: { fleetwright.dev/taken-at: "2026-05-01T00:00:00Z" } }\nitems: []\n';
    const cwd = await folderWith({ ...withoutEngine, 'fleet.yaml': snapshot });
    expect(messages((await runIn(cwd, ['doctor'])).err)).toEqual([
      'FW8007: the fleet snapshot was taken 31 days ago, but the maximum age is 7 days',
    ]);
  });
});

describe('doctor --against hub', () => {
  async function doctor(spec: object | undefined, files: Readonly<Record<string, string>> = {}) {
    const hub = await serve(({ pathname }) =>
      pathname === '/apis/operator.open-cluster-management.io/v1/clustermanagers' && spec !== undefined
        ? {
            status: 200,
            body: { kind: 'List', metadata: {}, items: [{ metadata: { name: 'cluster-manager' }, spec }] },
          }
        : { status: 404, body: {} },
    );
    const cwd = await folderWith({ ...withoutEngine, ...files, 'hub.yaml': hub.kubeconfig });
    return await runIn(cwd, ['doctor', '--against', 'hub', '--kubeconfig', 'hub.yaml']);
  }
  const image = (tag: string): object => ({
    registrationImagePullSpec: `quay.io:443/open-cluster-management/registration${tag}`,
  });

  test('reports another release: FW9086', async () => {
    expect(messages((await doctor(image(':v1.2.1'))).err)).toEqual([
      'FW9086: the hub runs OCM 1.2, but the output is for 1.3',
    ]);
    expect(
      (await doctor(image(':v1.2.1'), { 'fleetwright.yaml': "engine: none\nhubVersion: '1.2'\n" })).err,
    ).toBe('');
    expect((await doctor(image(':v1.3.0'))).err).toBe('');
    expect((await doctor(image('@sha256:1230'))).err).toBe('');
    expect((await doctor(undefined)).err).toBe('');
  });

  test('reports feature gates that are off: FW9087', async () => {
    const off = { featureGates: [{ feature: 'AddonManagement', mode: 'Disable' }] };
    expect(messages((await doctor({ addOnManagerConfiguration: off })).err)).toEqual([
      'FW9087: the feature gate AddonManagement is off, so the hub does not install or configure add-ons',
    ]);
    const output = { 'dist/app/manifestworkreplicaset_default_a.yaml': '' };
    expect((await doctor({}, output)).err).toContain('the feature gate ManifestWorkReplicaSet is off');
    const on = { featureGates: [{ feature: 'ManifestWorkReplicaSet', mode: 'Enable' }] };
    expect((await doctor({ workConfiguration: on }, output)).err).toBe('');
  });
});

import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const secret = 'token: "very secret\n';

/** A repository `work` beside files that it does not own. */
async function repositoryWith(links: Readonly<Record<string, string>>): Promise<string> {
  const folder = await folderWith({
    'outside/secret.yaml': secret,
    'outside/kustomization.yaml': secret,
    'elsewhere/fleet.yaml': fleetOf({ c1: {} }),
    'work/apps/a/hub.yaml':
      'apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: { name: all, namespace: default }\nspec: {}\n',
    'work/shared/fleet.yaml': fleetOf({ c1: {} }),
  });
  const cwd = path.join(folder, 'work');
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd });
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(cwd, name));
  return cwd;
}

function commit(cwd: string): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', ['add', '.'], { cwd });
  execFileSync('git', [...author, 'commit', '--quiet', '--message=a'], { cwd });
}

test.each([
  ['a file', { 'apps/a/fleet.yaml': '../../../outside/secret.yaml' }],
  ['a kustomization', { 'apps/a/kustomization.yaml': '../../../outside/kustomization.yaml' }],
  ['a folder', { 'apps/a/more': '../../../outside' }],
  ['a link to a link', { 'apps/a/fleet.yaml': '../../link', link: '../outside/secret.yaml' }],
])('%s that leads outside of the repository is not read', async (_what, links) => {
  const cwd = await repositoryWith(links);
  for (const commandLine of [['synth'], ['validate'], ['resolve', 'apps/a']]) {
    const { code, out, err } = await runIn(cwd, commandLine);
    expect(code).not.toBe(0);
    expect(err).toMatch(/error FW9050: apps\/a\/.* leads outside of the repository through a symbolic link/);
    expect(out + err).not.toContain('very secret');
  }
});

test('nor is it read in a revision', async () => {
  const cwd = await repositoryWith({ 'shared/a': 'fleet.yaml' });
  commit(cwd);
  await symlink(path.join(cwd, '../outside/secret.yaml'), path.join(cwd, 'apps/a/fleet.yaml'));
  commit(cwd);
  const { code, out, err } = await runIn(cwd, ['plan', 'HEAD~1..HEAD']);
  expect(code).toBe(1);
  expect(err).toContain('FW9050');
  expect(out + err).not.toContain('very secret');
});

test('links in the repository are followed, and files outside of it that the command line names', async () => {
  const cwd = await repositoryWith({ 'apps/a/fleet.yaml': '../../shared/fleet.yaml' });
  expect(await runIn(cwd, ['validate'])).toMatchObject({ code: 0, err: '' });
  expect(
    await runIn(cwd, ['validate', 'apps/a/hub.yaml', '--fleet', '../elsewhere/fleet.yaml']),
  ).toMatchObject({
    code: 0,
    err: '',
  });
});

import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadFleet } from '../../src/testing/index.ts';
import { folderWith, runIn } from '../cli/terminal.ts';
import { exampleFiles } from './workspace.ts';

async function workspaceWith(replaced: Readonly<Record<string, string>> = {}): Promise<string> {
  const cwd = await folderWith({ ...(await exampleFiles(replaced)), 'node_modules/.keep': '' });
  await symlink(path.resolve(import.meta.dirname, '../..'), path.join(cwd, 'node_modules/fleetwright'));
  return cwd;
}

test('explain, who-uses and validate answer for all hubs, and name them', async () => {
  const cwd = await workspaceWith();
  const results = async (...commandLine: string[]): Promise<readonly (string | undefined)[]> => {
    const { out } = await runIn(cwd, [...commandLine, '-o', 'json']);
    const document = JSON.parse(out) as { readonly results: readonly { readonly hub?: string }[] };
    return document.results.map(({ hub }) => hub);
  };
  expect(await results('explain', 'local-cluster', 'metrics')).toEqual(['dev', 'prod-eu', 'prod-us']);
  expect(await results('explain', 'us-1', 'metrics')).toEqual(['prod-us']);
  expect(await results('who-uses', 'metrics/metrics', '--hub', 'dev', '--hub', 'prod-us')).toEqual([
    'dev',
    'prod-us',
  ]);
  expect(await results('who-uses', 'apps/metrics/metrics.yaml')).toEqual(['dev', 'prod-eu', 'prod-us']);
  expect(new Set(await results('validate'))).toEqual(new Set(['dev', 'prod-eu', 'prod-us']));
});

test('rollout has the document of each hub under its name, or that of the only selected one', async () => {
  const cwd = await workspaceWith();
  const all = JSON.parse((await runIn(cwd, ['rollout', 'metrics', '-o', 'json'])).out) as object;
  expect(all).toMatchObject({
    hubs: {
      dev: { install: [['dev-1', 'local-cluster']] },
      'prod-us': { install: [['local-cluster', 'us-1', 'us-2', 'us-3']] },
    },
  });
  const one = await runIn(cwd, ['rollout', 'metrics', '-o', 'json', '--hub', 'dev']);
  expect(JSON.parse(one.out)).toMatchObject({ install: [['dev-1', 'local-cluster']] });
  const page = (await runIn(cwd, ['rollout', 'metrics', '-o', 'html'])).out;
  expect(page).toContain('metrics (hub dev): installation');
  expect(page).toContain('metrics (hub prod-us): installation');
});

test('resolve, render, generate and fleet pull answer for one hub', async () => {
  const cwd = await workspaceWith();
  const commands = [
    ['resolve', 'metrics'],
    ['render', 'us-1', 'agent'],
    ['machine', 'generate', '.'],
    ['fleet', 'pull'],
  ];
  for (const command of commands)
    expect(await runIn(cwd, command)).toMatchObject({
      code: 2,
      err: expect.stringContaining('select it with --hub; the hubs are dev, prod-eu, prod-us') as string,
    });
  const rendered = await runIn(cwd, ['render', 'us-1', 'agent', '--hub', 'prod-us']);
  expect(rendered.out).toContain('region: us\n');
  const generated = await runIn(cwd, ['machine', 'generate', 'apps/agent', '--hub', 'dev']);
  expect(generated.out).toContain('value: eu\n');
  expect((await runIn(cwd, ['resolve', 'metrics', '--hub', 'dev'])).out).toContain('dev-1\n');
});

test('validate reads standard input once for all hubs', async () => {
  const cwd = await workspaceWith();
  const input = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: x }\n';
  const { code, out } = await runIn(cwd, ['validate', '-'], input);
  expect([code, out]).toEqual([0, '3 of 3 objects are valid\n']);
});

test('completion knows the hubs', async () => {
  const cwd = await workspaceWith();
  const completed = async (...words: string[]): Promise<string> =>
    (await runIn(cwd, ['--get-yargs-completions', 'fleetwright', ...words])).out;
  expect(await completed('plan', '--hub', 'prod')).toBe('prod-eu\nprod-us\n');
  expect(await completed('diff', 'dev', '')).toBe('prod-eu\nprod-us\n');
  expect(await completed('explain', 'us')).toBe('us-1\nus-2\nus-3\n');
});

test('loadFleet takes the hub', async () => {
  const cwd = await workspaceWith();
  const fleet = await loadFleet('apps/metrics', { cwd, hub: 'prod-us' });
  expect(fleet.resolution.decisions.clusters.has('us-3')).toBe(true);
});

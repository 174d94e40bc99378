import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commitAll, Editor } from './editor.ts';
import { app, cluster, file, fleet, smallWorkspace } from './small-workspace.ts';

test('the editor asks again when a commit or another program changes the lines above objects of an open file', async () => {
  const folder = await smallWorkspace();
  commitAll(folder);
  await writeFile(path.join(folder, fleet), cluster('prod-1', 'prod'));
  const editor = await Editor.in(folder);
  await editor.open(file);
  expect(await editor.lenses(file)).toContain(
    '6: selects 1 of 1 cluster; since the last commit: 1 fewer (prod-2)',
  );
  commitAll(folder);
  await expect.poll(() => editor.refreshes).toBe(1);
  expect(await editor.lenses(file)).toContain('6: selects 1 of 1 cluster');

  await writeFile(path.join(folder, fleet), `${cluster('prod-1', 'prod')}---\n${cluster('dev-1', 'dev')}`);
  await expect.poll(() => editor.refreshes).toBe(2);
  expect(await editor.lenses(file)).toContain('6: selects 1 of 2 clusters');
});

test('the editor asks again for a file whose lines an edit of another one changes, and only then', async () => {
  const placements = 'apps/agent/placements.yaml';
  const parts = app('agent').split('---\n');
  const editor = await Editor.in(
    await smallWorkspace({
      [placements]: parts.slice(0, 2).join('---\n'),
      [file]: parts.slice(2).join('---\n'),
    }),
  );
  await editor.open(file);
  await editor.open(placements);
  expect(await editor.lenses(placements)).toEqual(['6: selects 2 of 3 clusters']);
  expect(await editor.lenses(file)).toContain('6: installed on 2 clusters');

  await editor.type(placements, 'env: prod', 'env: "prod"');
  expect(await editor.lenses(placements)).toEqual(['6: selects 2 of 3 clusters']);
  await editor.type(placements, 'env: "prod"', 'env: dev');
  expect(await editor.lenses(placements)).toEqual(['6: selects 1 of 3 clusters']);
  await expect.poll(() => editor.refreshes).toBe(1);
  expect(await editor.lenses(file)).toContain('6: installed on 1 cluster');
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commitAll, Editor } from './editor.ts';
import { app, cluster, file, fleet, settings, smallWorkspace } from './small-workspace.ts';

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

test('while an object is invalid, the lines above objects stay where the objects are', async () => {
  const folder = await smallWorkspace();
  const editor = await Editor.in(folder);
  await editor.open(file);
  const compiled = ['6: selects 2 of 3 clusters', '12: decides on 2 clusters', '17: installed on 2 clusters'];
  expect(await editor.lenses(file)).toEqual(compiled);

  const outdated = compiled.map((lens) => lens.replace(': ', ': before the present errors: '));
  await editor.type(file, 'kind: Placement', 'kind: Placemen:');
  expect(await editor.lenses(file)).toEqual(outdated);
  await editor.type(file, 'kind: Placemen:', 'kind: Placemen:\n# a comment');
  const [first = '', ...others] = outdated;
  expect(await editor.lenses(file)).toEqual([
    first,
    ...others.map((lens) => lens.replace(/^\d+/, (line) => String(Number(line) + 1))),
  ]);
  // The whole second object.
  const [, object = ''] = editor.text(file).split(/^---\n/m);
  await editor.type(file, `---\n${object}`, '');
  expect(await editor.lenses(file)).not.toContain(first);

  await editor.type(file, editor.text(file), app('agent'));
  expect(await editor.lenses(file)).toEqual(compiled);
});

test('while the settings are invalid, the lines above objects stay', async () => {
  const folder = await smallWorkspace();
  const editor = await Editor.in(folder);
  await editor.open(file);
  expect(await editor.lenses(file)).toContain('6: selects 2 of 3 clusters');
  await writeFile(path.join(folder, settings), 'flet: fleet.yaml\n');
  await expect
    .poll(() => editor.lenses(file))
    .toContain('6: before the present errors: selects 2 of 3 clusters');
  await writeFile(path.join(folder, settings), 'fleet: fleet.yaml\n');
  await expect.poll(() => editor.lenses(file)).toContain('6: selects 2 of 3 clusters');
});

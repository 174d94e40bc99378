import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '../terminal.ts';
import { Editor } from './editor.ts';
import { file, settings, small, smallWorkspace } from './small-workspace.ts';

test('outside of a workspace, a message says what is missing and what to do, until it is there', async () => {
  const folder = await folderWith({ 'objects.yaml': small[file] });
  const editor = await Editor.in(folder);
  await editor.open('objects.yaml');
  expect(await editor.lenses('objects.yaml')).toEqual([]);
  expect(editor.messages).toEqual([
    `Fleetwright: there is no fleetwright.yaml and no folder apps in ${folder} or above it; ` +
      'start the editor in the repository of the add-ons, or create an empty fleetwright.yaml at its top',
  ]);
  await writeFile(path.join(folder, settings), '');
  await expect
    .poll(() => editor.messages.at(-1))
    .toBe(
      'Fleetwright: apps/ has no apps: folders with YAML or an app.ts; ' +
        'write the objects of an add-on to a folder such as apps/agent',
    );
  await mkdir(path.join(folder, 'apps/agent'), { recursive: true });
  await writeFile(path.join(folder, file), small[file]);
  await editor.open(file);
  await expect.poll(() => editor.lenses(file)).not.toEqual([]);
});

test('the folder of the editor counts if the server was started outside of a workspace', async () => {
  const editor = await Editor.in(await smallWorkspace(), await folderWith({}));
  await editor.open(file);
  expect(await editor.lenses(file)).toContain('6: selects 2 of 3 clusters');
});

test('the folder in which the server was started counts if it is in a workspace', async () => {
  const served = await smallWorkspace();
  const editor = await Editor.in(served, path.join(served, 'apps'));
  await editor.open(file);
  expect(await editor.lenses(file)).toContain('6: selects 2 of 3 clusters');
});

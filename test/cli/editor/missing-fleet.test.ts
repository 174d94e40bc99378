import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Hover } from 'vscode-languageserver/node';
import { expect, test } from 'vitest';
import { commitAll, Editor } from './editor.ts';
import { app, file, fleet, settings, small, smallWorkspace } from './small-workspace.ts';

const unknown = 'the clusters are unknown: there is no fleet snapshot';
const other = 'apps/other/objects.yaml';

async function findingsOf(editor: Editor, code: string): Promise<readonly string[]> {
  const files = [file, other, fleet, settings];
  const found = await Promise.all(
    files.map(async (each) =>
      (await editor.findings(each))
        .filter((finding) => finding.code === code)
        .map(({ range, message }) => `${each}:${range.start.line + 1}: ${JSON.stringify(message)}`),
    ),
  );
  return found.flat();
}

test('without a fleet snapshot, nothing is said about clusters', async () => {
  const folder = await smallWorkspace({ [other]: app('other') });
  commitAll(folder);
  await rm(path.join(folder, fleet));
  const editor = await Editor.in(folder);
  await editor.open(file);
  expect(await editor.lenses(file)).toEqual([`6: ${unknown}`, `17: ${unknown}`]);
  const hover = await editor.at<Hover>('hover', file, 'name: pro|duction, namespace: agent }]');
  expect(hover.contents).toMatchObject({ value: `Placement agent/production\n${unknown}\ninstalls agent` });
  expect(await findingsOf(editor, 'FW9013')).toEqual([
    expect.stringMatching(
      /^fleetwright.yaml:1: "apps \\"agent\\" and \\"other\\" have no fleet snapshot, .*\\nfleetwright fleet pull"$/,
    ),
  ]);
});

test('if the fleet snapshot is half-written, only that is reported, once for all apps', async () => {
  const folder = await smallWorkspace({ [other]: app('other') });
  commitAll(folder);
  const [first] = small[fleet].split('---');
  await writeFile(path.join(folder, fleet), `${first}---\napiVersion: v1\nki`);
  const editor = await Editor.in(folder);
  await editor.open(file);
  expect(await findingsOf(editor, 'FW1001')).toEqual([
    'fleet.yaml:8: "this is neither \\"key: value\\" nor an item of a list\\nwrite a colon and a space after a key"',
  ]);
  expect(await findingsOf(editor, 'FW9013')).toEqual([]);
  expect(await editor.lenses(file)).toEqual([]);
});

test('without settings, a missing fleet snapshot is reported in the first file of the app', async () => {
  const folder = await smallWorkspace();
  for (const each of [settings, fleet]) await rm(path.join(folder, each));
  const editor = await Editor.in(folder);
  expect(await findingsOf(editor, 'FW9013')).toEqual([
    expect.stringMatching(/^apps\/agent\/objects.yaml:1: "app \\"agent\\" has no fleet snapshot, /),
  ]);
});

test('the first fleet snapshot is not a change of the Placements since the last commit', async () => {
  const folder = await smallWorkspace();
  await rm(path.join(folder, fleet));
  commitAll(folder);
  await writeFile(path.join(folder, fleet), small[fleet]);
  const editor = await Editor.in(folder);
  await editor.open(file);
  expect(await editor.lenses(file)).toEqual([
    '6: selects 2 of 3 clusters',
    '12: decides on 2 clusters',
    '17: installed on 2 clusters',
  ]);
});

import type { Hover } from 'vscode-languageserver/node';
import { expect, test } from 'vitest';
import { Editor } from './editor.ts';
import { app, file, fleet, settings, smallWorkspace } from './small-workspace.ts';

async function hoverAt(editor: Editor, where: string, place: string): Promise<string> {
  const hover = await editor.at<Hover | null>('hover', where, place);
  return (hover?.contents as { value: string } | undefined)?.value ?? '';
}

test('a cluster has the add-ons of all apps', async () => {
  const editor = await Editor.in(
    await smallWorkspace({ 'apps/scanner/objects.yaml': app('scanner'), 'apps/none/objects.yaml': '' }),
  );
  await editor.open(fleet);
  expect(await hoverAt(editor, fleet, 'name: prod|-1')).toBe(
    'ManagedCluster prod-1\nhas 2 add-ons: agent, scanner',
  );
  expect(await hoverAt(editor, fleet, 'name: dev|-1')).toBe('ManagedCluster dev-1\nhas no add-ons');
});

test('a cluster of several hubs has the add-ons of each', async () => {
  const editor = await Editor.in(
    await smallWorkspace({
      'apps/scanner/objects.yaml': app('scanner'),
      [settings]: 'hubs: { eu: { fleet: fleet.yaml }, us: { fleet: fleet.yaml } }\n',
    }),
  );
  await editor.open(fleet);
  expect(await hoverAt(editor, fleet, 'name: prod|-1')).toBe(
    'ManagedCluster prod-1\neu: has 2 add-ons: agent, scanner\nus: has 2 add-ons: agent, scanner',
  );
  await editor.open(file);
  expect(await hoverAt(editor, file, 'kind: Pl|acement')).toBe(
    'Placement agent/production\neu: selects 2 of 3 clusters\neu: installs agent\nus: selects 2 of 3 clusters\nus: installs agent',
  );
});

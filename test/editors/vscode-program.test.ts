import path from 'node:path';
import { expect, test } from 'vitest';
import { findProgram, isWorkspaceWithoutSettings } from '../../editors/vscode/src/program.ts';
import { folderWith } from '../cli/terminal.ts';

test('the program is the one that npm installed in the folder, or in a folder around it', async () => {
  const folder = await folderWith({
    'node_modules/.bin/fleetwright': '',
    'node_modules/.bin/fleetwright.cmd': '',
    'fleet/fleetwright.yaml': '',
  });
  const root = path.join(folder, 'fleet');
  const command = path.join(folder, 'node_modules/.bin/fleetwright');
  expect(findProgram(root, '', 'linux')).toEqual({ command, shell: false });
  expect(findProgram(root, '', 'win32')).toEqual({ command: `${command}.cmd`, shell: true });
});

test('the setting names another program, relative to the folder', async () => {
  const root = await folderWith({ 'fleetwright.yaml': '' });
  expect(findProgram(root, '', 'linux')).toBeUndefined();
  expect(findProgram(root, 'tools/fleetwright', 'linux')).toEqual({
    command: path.join(root, 'tools/fleetwright'),
    shell: false,
  });
});

test('a folder with apps and without settings is a workspace if Fleetwright is installed in it', async () => {
  const folder = await folderWith({
    'node_modules/.bin/fleetwright': '',
    'node_modules/.bin/fleetwright.cmd': '',
    'apps/agent/objects.yaml': '',
    'shop/apps/web/values.yaml': '',
  });
  for (const platform of ['linux', 'win32'] as const) {
    expect(isWorkspaceWithoutSettings(folder, platform)).toBe(true);
    expect(isWorkspaceWithoutSettings(path.join(folder, 'shop'), platform)).toBe(false);
    expect(isWorkspaceWithoutSettings(path.join(folder, 'apps'), platform)).toBe(false);
  }
});

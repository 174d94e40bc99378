import { execFileSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '../terminal.ts';
import { commitAll, Editor } from './editor.ts';
import { cluster, file, fleet, smallWorkspace } from './small-workspace.ts';

test.each([
  ['the repository', async (folder: string) => await Promise.resolve(folder)],
  [
    'a linked working tree',
    async (folder: string) => {
      const linked = path.join(await folderWith({}), 'linked');
      git(folder, 'worktree', 'add', '-q', linked);
      return linked;
    },
  ],
])('in %s, a commit and a reset lead to new lines above objects', async (_what, folderOf) => {
  const repository = await smallWorkspace();
  commitAll(repository);
  const folder = await folderOf(repository);
  await appendFile(path.join(folder, fleet), `---\n${cluster('prod-3', 'prod')}`);
  const editor = await Editor.in(folder);
  await editor.open(file);
  const changed = '6: selects 3 of 4 clusters; since the last commit: 1 more (prod-3)';
  expect(await editor.lenses(file)).toContain(changed);

  commitAll(folder);
  await expect.poll(() => editor.lenses(file)).toContain('6: selects 3 of 4 clusters');

  git(folder, 'reset', '-q', '--soft', 'HEAD^');
  await expect.poll(() => editor.lenses(file)).toContain(changed);
});

function git(cwd: string, ...words: readonly string[]): void {
  execFileSync('git', words, { cwd });
}

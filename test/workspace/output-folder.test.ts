import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  compareFolder,
  removeFolder,
  writeFolder,
  emittedFolders,
  recoverOutputs,
} from '../../src/workspace/output/output-folder.ts';
import { temporaryName } from '../../src/workspace/temporary-name.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fleetwright-'));
  folder = path.join(root, 'dist', 'app');
});
afterEach(() => rm(root, { recursive: true }));

const tree = (files: Record<string, string>): Map<string, string> => new Map(Object.entries(files));

test('writes the tree and the list of its files', async () => {
  await writeFolder(folder, tree({ 'b.yaml': 'b\n', 'a.yaml': 'a\n' }));
  expect((await readdir(folder)).sort()).toEqual(['.fleetwright.json', 'a.yaml', 'b.yaml']);
  expect(await readFile(path.join(folder, '.fleetwright.json'), 'utf8')).toBe(
    '{\n  "files": [\n    "a.yaml",\n    "b.yaml"\n  ]\n}\n',
  );
  expect(await readdir(path.dirname(folder))).toEqual(['app']);
});

test('removes the files of the last synth that this one does not write, and nothing else', async () => {
  await writeFolder(folder, tree({ 'a.yaml': 'a', 'b.yaml': 'b' }));
  await writeFile(path.join(folder, 'README.md'), 'mine');
  await mkdir(path.join(folder, 'patches'));
  await writeFile(path.join(folder, 'patches', 'p.yaml'), 'mine too');
  await writeFolder(folder, tree({ 'a.yaml': 'a2' }));
  expect((await readdir(folder)).sort()).toEqual(['.fleetwright.json', 'README.md', 'a.yaml', 'patches']);
  expect(await readFile(path.join(folder, 'a.yaml'), 'utf8')).toBe('a2');
  expect(await readFile(path.join(folder, 'patches', 'p.yaml'), 'utf8')).toBe('mine too');
});

test('refuses to write over a file that synth did not write, and leaves the folder as it was', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'kustomization.yaml'), 'mine');
  await expect(writeFolder(folder, tree({ 'kustomization.yaml': 'ours' }))).rejects.toThrow(
    `${path.join(folder, 'kustomization.yaml')} was not written by synth, and synth would overwrite it`,
  );
  expect(await readdir(folder)).toEqual(['kustomization.yaml']);
});

test('a failure while writing leaves the old folder complete and no other files', async () => {
  await writeFolder(folder, tree({ 'a.yaml': 'old' }));
  const tooLong = `${'x'.repeat(300)}.yaml`;
  await expect(writeFolder(folder, tree({ 'a.yaml': 'new', [tooLong]: 'x' }))).rejects.toThrow(
    'ENAMETOOLONG',
  );
  expect(await readFile(path.join(folder, 'a.yaml'), 'utf8')).toBe('old');
  expect(await readdir(path.dirname(folder))).toEqual(['app']);
});

test('neither a folder that is up to date nor a file with the same content is written again', async () => {
  const inodes = async (): Promise<readonly number[]> =>
    await Promise.all(
      ['.', 'a.yaml', 's/b.yaml'].map(async (name) => (await stat(path.join(folder, name))).ino),
    );
  await writeFolder(folder, tree({ 'a.yaml': 'a', 's/b.yaml': 'b' }));
  const before = await inodes();
  await writeFolder(folder, tree({ 'a.yaml': 'a', 's/b.yaml': 'b' }));
  expect(await inodes()).toEqual(before);

  await writeFolder(folder, tree({ 'a.yaml': 'a', 's/b.yaml': 'new' }));
  const after = await inodes();
  expect(after[1]).toBe(before[1]);
  expect(after[2]).not.toBe(before[2]);
  expect(await readFile(path.join(folder, 's/b.yaml'), 'utf8')).toBe('new');
});

test('a folder that a killed run moved away is restored', async () => {
  await writeFolder(folder, tree({ 'a.yaml': 'old' }));
  await writeFile(path.join(folder, 'mine.txt'), 'mine');
  await rename(folder, temporaryName(folder, 'previous'));
  await mkdir(temporaryName(folder));
  await recoverOutputs(path.dirname(folder));
  expect(await readFile(path.join(folder, 'a.yaml'), 'utf8')).toBe('old');
  await writeFolder(folder, tree({ 'a.yaml': 'new' }));
  expect((await readdir(folder)).sort()).toEqual(['.fleetwright.json', 'a.yaml', 'mine.txt']);
  expect(await readdir(path.dirname(folder))).toEqual(['app']);
});

test('reports how a folder differs', async () => {
  await writeFolder(folder, tree({ 'a.yaml': 'a', 'b.yaml': 'b', 'c.yaml': 'c' }));
  await rm(path.join(folder, 'b.yaml'));
  await writeFile(path.join(folder, 'a.yaml'), 'edited by hand');
  expect(await compareFolder(folder, tree({ 'a.yaml': 'a', 'b.yaml': 'b' }))).toEqual({
    missing: ['b.yaml'],
    changed: ['.fleetwright.json', 'a.yaml'],
    stale: ['c.yaml'],
  });
  expect(await compareFolder(path.join(root, 'nowhere'), tree({ 'a.yaml': 'a' }))).toEqual({
    missing: ['.fleetwright.json', 'a.yaml'],
    changed: [],
    stale: [],
  });
});

test('folders of removed apps are deleted, except for files of others', async () => {
  await writeFolder(folder, tree({ 'a.yaml': 'a' }));
  const mixed = path.join(root, 'dist', 'mixed');
  await writeFolder(mixed, tree({ 'a.yaml': 'a' }));
  await writeFile(path.join(mixed, 'mine.txt'), 'mine');
  expect(await emittedFolders(path.join(root, 'dist'))).toEqual(['app', 'mixed']);
  await removeFolder(folder);
  await removeFolder(mixed);
  expect(await readdir(path.join(root, 'dist'))).toEqual(['mixed']);
  expect(await readdir(mixed)).toEqual(['mine.txt']);
});

test('a list of files that names paths outside the folder is refused', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, '.fleetwright.json'), '{"files":["../../precious"]}');
  await expect(removeFolder(folder)).rejects.toThrow('is not a list of files that synth wrote');
});

test('writes folders of the tree, and removes them and nothing else in them', async () => {
  await writeFolder(
    folder,
    tree({ 'kustomization.yaml': 'k', 'configs/a.yaml': 'a', 'configs/b.yaml': 'b' }),
  );
  await writeFile(path.join(folder, 'configs', 'mine.yaml'), 'mine');
  expect(await compareFolder(folder, tree({ 'kustomization.yaml': 'k', 'configs/a.yaml': 'a' }))).toEqual({
    missing: [],
    changed: ['.fleetwright.json'],
    stale: ['configs/b.yaml'],
  });
  await writeFolder(folder, tree({ 'kustomization.yaml': 'k', 'configs/a.yaml': 'a2' }));
  expect((await readdir(path.join(folder, 'configs'))).sort()).toEqual(['a.yaml', 'mine.yaml']);
  await writeFolder(folder, tree({ 'a.yaml': 'a' }));
  expect((await readdir(folder)).sort()).toEqual(['.fleetwright.json', 'a.yaml', 'configs']);
  expect(await readdir(path.join(folder, 'configs'))).toEqual(['mine.yaml']);
});

test('a folder is deleted with everything that synth wrote in it', async () => {
  await writeFolder(folder, tree({ 'kustomization.yaml': 'k', 'configs/a.yaml': 'a' }));
  await removeFolder(folder);
  expect(await readdir(path.join(root, 'dist'))).toEqual([]);
});

test('refuses to replace a file with a folder, or a file in a folder of the tree', async () => {
  await mkdir(path.join(folder, 'configs'), { recursive: true });
  await writeFile(path.join(folder, 'configs', 'a.yaml'), 'mine');
  await expect(writeFolder(folder, tree({ 'configs/a.yaml': 'a' }))).rejects.toThrow(
    `${path.join(folder, 'configs', 'a.yaml')} was not written by synth`,
  );
  await writeFile(path.join(folder, 'placements'), 'mine');
  await expect(writeFolder(folder, tree({ 'placements/a.yaml': 'a' }))).rejects.toThrow(
    `${path.join(folder, 'placements')} was not written by synth`,
  );
  expect((await readdir(folder)).sort()).toEqual(['configs', 'placements']);
});

test.each(['../a.yaml', '/a.yaml', 'a/../../b.yaml', 'a/b/c.yaml', '..', 'a//b', ''])(
  'rejects %j, which is not a file of the folder',
  async (name) => {
    await expect(writeFolder(folder, tree({ [name]: 'a' }))).rejects.toThrow(
      'is no file of an output folder',
    );
    expect(await readdir(root)).toEqual([]);
  },
);

test('neither writes, reads nor deletes through a link to another folder', async () => {
  await writeFolder(folder, tree({ 'a.yaml': 'precious' }));
  const link = path.join(root, 'dist', 'link');
  await symlink(folder, link);
  for (const attempt of [
    () => writeFolder(link, tree({ 'a.yaml': 'new' })),
    () => compareFolder(link, tree({ 'a.yaml': 'new' })),
    () => removeFolder(link),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ diagnostic: { code: 'FW9033' } });
  }
  expect(await readFile(path.join(folder, 'a.yaml'), 'utf8')).toBe('precious');
});

test('a file or folder of synth that became a link is written again, and the target of the link is kept', async () => {
  const files = tree({ 'a.yaml': 'a', 'configs/b.yaml': 'b' });
  await writeFolder(folder, files);
  const outside = path.join(root, 'outside');
  await mkdir(outside);
  await writeFile(path.join(outside, 'a.yaml'), 'a');
  await writeFile(path.join(outside, 'b.yaml'), 'b');
  await unlink(path.join(folder, 'a.yaml'));
  await symlink(path.join(outside, 'a.yaml'), path.join(folder, 'a.yaml'));
  await rm(path.join(folder, 'configs'), { recursive: true });
  await symlink(outside, path.join(folder, 'configs'));
  expect(await compareFolder(folder, files)).toEqual({
    missing: ['configs/b.yaml'],
    changed: ['a.yaml'],
    stale: [],
  });
  await removeFolder(folder);
  expect(await readdir(folder)).toEqual(['configs']);
  expect((await readdir(outside)).sort()).toEqual(['a.yaml', 'b.yaml']);
});

test('a list of files that is a link is refused', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(root, 'list.json'), '{"files":[]}');
  await symlink(path.join(root, 'list.json'), path.join(folder, '.fleetwright.json'));
  await expect(writeFolder(folder, tree({ 'a.yaml': 'a' }))).rejects.toMatchObject({
    diagnostic: { code: 'FW9033' },
  });
});

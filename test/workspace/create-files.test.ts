import { readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createFiles, existingFiles } from '../../src/workspace/output/create-files.ts';
import { folderWith } from '../cli/terminal.ts';

test('writes all files and leaves nothing else behind', async () => {
  const folder = await folderWith({ 'there/already': 'ours' });
  await createFiles(
    path.join(folder, 'new'),
    new Map([
      ['a', 'one'],
      ['b/c/d', 'two'],
    ]),
  );
  await createFiles(folder, new Map([['there/too', 'three']]));
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    'new',
    'new/a',
    'new/b',
    'new/b/c',
    'new/b/c/d',
    'there',
    'there/already',
    'there/too',
  ]);
  expect(await readFile(path.join(folder, 'new/b/c/d'), 'utf8')).toBe('two');
});

test('if one file cannot be written, none is, and the folders created for them are removed', async () => {
  const folder = await folderWith({ 'there/already': 'ours' });
  const files = new Map([
    ['there/first', '1'],
    ['b/second', '2'],
    [`c/${'n'.repeat(300)}`, '3'],
  ]);
  await expect(createFiles(folder, files)).rejects.toThrow('ENAMETOOLONG');
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['there', 'there/already']);
  await expect(createFiles(path.join(folder, 'new/inner'), files)).rejects.toThrow('ENAMETOOLONG');
  expect(await readdir(folder)).toEqual(['there']);
});

test('never replaces a file that came in the meantime', async () => {
  const folder = await folderWith({ b: 'ours' });
  await expect(
    createFiles(
      folder,
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    ),
  ).rejects.toThrow('EEXIST');
  expect(await readdir(folder)).toEqual(['b']);
  expect(await readFile(path.join(folder, 'b'), 'utf8')).toBe('ours');
});

test('counts files and links as existing, even if a folder is needed too', async () => {
  const folder = await folderWith({ a: '', 'b/c': '', d: '' });
  await symlink('nowhere', path.join(folder, 'dangling'));
  await symlink('b', path.join(folder, 'linked'));
  const names = ['a', 'b/c', 'b/new', 'd/below', 'd/other', 'dangling', 'linked/x', 'new'];
  expect(await existingFiles(folder, new Map(names.map((name) => [name, ''])))).toEqual([
    'a',
    'b/c',
    'd',
    'dangling',
    'linked',
  ]);
});

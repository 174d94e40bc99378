import { renameSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCommitted } from '../../src/workspace/files-in-commit.ts';
import { GitRepository } from '../e2e/repository.ts';

let repository: GitRepository;
let first: string;
const many = Array.from({ length: 60 }, (_, index) => `clusters/c${index}.yaml`);
beforeAll(() => {
  repository = new GitRepository();
  const files = Object.fromEntries(many.map((name) => [`dist/app/${name}`, `${name} 1`]));
  first = repository.commit('first', { ...files, 'other.yaml': '' });
  repository.commit('second', {
    [`dist/app/${many[0] ?? ''}`]: 'changed',
    [`dist/app/${many[1] ?? ''}`]: undefined,
  });
});
afterAll(() => repository.remove());

describe.each([
  ['a few', many.slice(0, 3)],
  ['many', many],
])('reading %s committed files', (_, names) => {
  test('returns those of the last commit, whether or not the folder exists in the working tree', async () => {
    const expected = new Map(names.map((name) => [name, `${name} 1`]));
    expected.set(many[0] ?? '', 'changed');
    expected.delete(many[1] ?? '');
    const folder = path.join(repository.root, 'dist/app');
    expect(await readCommitted(folder, [...names, 'missing.yaml'])).toEqual(expected);
    renameSync(path.join(repository.root, 'dist'), path.join(repository.temporary, 'dist'));
    expect(await readCommitted(folder, names)).toEqual(expected);
    renameSync(path.join(repository.temporary, 'dist'), path.join(repository.root, 'dist'));
  });

  test('returns those of another commit, and none of a missing one', async () => {
    const folder = path.join(repository.root, 'dist/app');
    const expected = new Map(names.map((name) => [name, `${name} 1`]));
    expect(await readCommitted(folder, names, first)).toEqual(expected);
    expect(await readCommitted(folder, names, '0'.repeat(40))).toEqual(new Map());
    expect(await readCommitted(repository.temporary, names)).toEqual(new Map());
  });
});

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RepositoryQuestions } from '../../src/workspace/repository-questions.ts';
import { commitAll } from '../cli/editor/editor.ts';
import { folderWith } from '../cli/terminal.ts';

let folder = '';
let log = '';
let questions = new RepositoryQuestions({ keepsAnswers: true });

beforeEach(async () => {
  questions = new RepositoryQuestions({ keepsAnswers: true });
  const tools = await folderWith({});
  log = path.join(tools, 'log');
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(path.join(tools, 'git'), `#!/bin/sh\necho "$1" >> '${log}'\nexec '${git}' "$@"\n`);
  chmodSync(path.join(tools, 'git'), 0o755);
  vi.stubEnv('PATH', `${tools}:${process.env['PATH'] ?? ''}`);
  folder = await folderWith({
    'clusters/fleetwright.yaml': '{}\n',
    'package-lock.json': '{ "lockfileVersion": 3 }\n',
    'tools/yarn.lock': '# yarn lockfile v1\n',
    '.gitignore': 'node_modules\n/cache\n',
  });
  commitAll(folder);
});
afterEach(() => void vi.unstubAllEnvs());

/** Asks everything that a plan asks. */
async function asked(): Promise<object> {
  rmSync(log, { force: true });
  const repository = await questions.repository(path.join(folder, 'clusters'));
  const commit = await questions.commit(repository, 'HEAD');
  return {
    commit,
    mergeBase: await questions.mergeBase(repository, commit, commit),
    folders: await questions.unversionedFolders(repository),
    locks: await questions.changedLockFiles(repository, commit, undefined),
  };
}

/** Returns the programs of Git that ran for the last questions. */
function started(): readonly string[] {
  return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
}

test('the same questions start no process', async () => {
  const first = await asked();
  expect(first).toMatchObject({ folders: ['node_modules'], locks: [] });
  expect(started()).toEqual(['rev-parse', 'cat-file', 'merge-base', 'ls-files', 'diff']);
  // The files on which the last answer depends.
  expect(await asked()).toEqual(first);
  expect(started()).toEqual(['ls-files', 'diff']);
  expect(await asked()).toEqual(first);
  expect(started()).toEqual([]);
});

test('without kept answers, each question is asked', async () => {
  questions = new RepositoryQuestions({ keepsAnswers: false });
  await asked();
  await asked();
  // One process returns objects to questions that follow each other closely.
  expect(started().filter((program) => program !== 'cat-file')).toEqual([
    'rev-parse',
    'merge-base',
    'ls-files',
    'diff',
  ]);
});

test('a lock file anywhere in the repository is compared again', async () => {
  await asked();
  await asked();
  writeFileSync(path.join(folder, 'tools/yarn.lock'), '# another\n');
  expect(await asked()).toMatchObject({ locks: ['tools/yarn.lock'] });
  expect(started()).toEqual(['diff']);
  writeFileSync(path.join(folder, 'package-lock.json'), '{}\n');
  expect(await asked()).toMatchObject({ locks: ['package-lock.json', 'tools/yarn.lock'] });
  writeFileSync(path.join(folder, 'tools/yarn.lock'), '# yarn lockfile v1\n');
  expect(await asked()).toMatchObject({ locks: ['package-lock.json'] });
});

test('packages that are installed around the workspace, and files that Git has now, are noticed', async () => {
  mkdirSync(path.join(folder, 'cache'));
  const ignored = path.join(folder, 'cache/big.bin');
  writeFileSync(ignored, '');
  expect(await asked()).toMatchObject({ folders: ['cache', 'node_modules'] });
  execFileSync('git', ['add', '--force', ignored], { cwd: folder });
  expect(await asked()).toMatchObject({ folders: ['node_modules'] });
  mkdirSync(path.join(folder, 'clusters/node_modules'));
  writeFileSync(path.join(folder, 'clusters/node_modules/package.js'), '');
  expect(await asked()).toMatchObject({ folders: ['clusters/node_modules', 'node_modules'] });
});

test('another commit is found after the references changed', async () => {
  const before = await asked();
  commitAll(folder);
  expect(await asked()).toEqual(before);
  questions.forgetFiles();
  expect(await asked()).toEqual(before);
  questions.forget();
  expect(await asked()).not.toEqual(before);
});

test('a question that failed is asked again', async () => {
  const outside = await folderWith({});
  await expect(questions.repository(outside)).rejects.toThrow('not in a Git repository');
  commitAll(outside);
  expect(await questions.repository(outside)).toMatchObject({ prefix: '' });
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GitRepository } from '../e2e/repository.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/promotion-carriers.md'), 'utf8');
const script = /```sh\n(# hydrate\.sh[^]*?)```/.exec(guide)?.[1] ?? '';
const branch = 'environment/hub-eu';

let repository: GitRepository;
let origin: string;
beforeEach(() => {
  repository = new GitRepository();
  origin = path.join(repository.temporary, 'origin.git');
  git('init', '--quiet', '--bare', origin);
  git('remote', 'add', 'origin', origin);
});
afterEach(() => {
  repository.remove();
});

function run(program: string, parameters: readonly string[]): string {
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const env = { ...process.env, ...identity };
  return execFileSync(program, parameters, { cwd: repository.root, encoding: 'utf8', env, stdio: 'pipe' });
}

function git(...parameters: readonly string[]): string {
  return run('git', parameters).trim();
}

/** Commits files of the output, runs the script of the guide, and returns the proposed commit. */
function hydrated(files: Readonly<Record<string, string>>): {
  readonly dry: string;
  readonly proposed: string;
} {
  const dry = repository.commit('Wave 1: it\'s "new"', files);
  run('sh', ['-c', script, 'hydrate.sh', 'shop', branch]);
  return { dry, proposed: git('--git-dir', origin, 'rev-parse', `refs/heads/${branch}-next`) };
}

function textOf(commit: string, file: string): string {
  return git('--git-dir', origin, 'show', `${commit}:${file}`);
}

test('the hydrator for GitOps Promoter pushes the output and the commit that it is made from', () => {
  const first = hydrated({
    'dist/shop/addon.yaml': 'version: 1\n',
    'dist/shop/clusters/a b.yaml': 'version: 1\n',
    'dist/other/addon.yaml': 'version: 1\n',
  });
  const files = git('--git-dir', origin, 'ls-tree', '-r', '--name-only', first.proposed);
  expect(files.split('\n')).toEqual(['addon.yaml', 'clusters/a b.yaml', 'hydrator.metadata']);
  expect(JSON.parse(textOf(first.proposed, 'hydrator.metadata'))).toEqual({ drySha: first.dry });
  expect(textOf(first.proposed, 'clusters/a b.yaml')).toBe('version: 1');

  // The carrier merges, and the next wave follows.
  const second = hydrated({ 'dist/shop/clusters/a b.yaml': 'version: 2\n' });
  expect(textOf(second.proposed, 'clusters/a b.yaml')).toBe('version: 2');
  expect(git('--git-dir', origin, 'rev-parse', `${second.proposed}^`)).toBe(first.proposed);
  expect(git('--git-dir', origin, 'log', '-1', '--format=%s', second.proposed)).toBe('Wave 1: it\'s "new"');
});

test('the hydrator for GitOps Promoter adds a note to the proposed commit if nothing changes', () => {
  const first = hydrated({ 'dist/shop/addon.yaml': 'version: 1\n' });
  const second = hydrated({ 'dist/other/addon.yaml': 'version: 2\n' });
  expect(second.proposed).toBe(first.proposed);
  const note = git('--git-dir', origin, 'notes', '--ref=hydrator.metadata', 'show', second.proposed);
  expect(JSON.parse(note)).toEqual({ drySha: second.dry });
  // Another machine, which has neither the branch nor the note.
  git('update-ref', '-d', `refs/remotes/origin/${branch}-next`);
  git('update-ref', '-d', 'refs/notes/hydrator.metadata');
  expect(hydrated({ 'README.md': 'more\n' }).proposed).toBe(first.proposed);
});

import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requireChild, requireHead } from '../../src/workspace/lock/unmoved-head.ts';
import { GitRepository } from '../e2e/repository.ts';

let repository: GitRepository;
beforeEach(() => {
  repository = new GitRepository();
});
afterEach(() => {
  repository.remove();
});

const moved = { diagnostic: { code: 'FW9131' } };

describe('the commit of a promotion', () => {
  test('is only made on the commit that was decided about', async () => {
    const decided = repository.commit('one', { a: '1' });
    await requireHead(repository.root, decided, 'promote');
    repository.commit('of another program', { a: '2' });
    await expect(requireHead(repository.root, decided, 'promote')).rejects.toMatchObject(moved);
  });

  test('is withdrawn if another one came in between, which stays', async () => {
    const decided = repository.commit('one', { a: '1' });
    repository.commit('the wave', { b: '1' });
    await requireChild(repository.root, decided, 'promote');
    repository.reset(decided);
    const other = repository.commit('of another program', { a: '2' });
    repository.commit('the wave', { b: '1' });
    await expect(requireChild(repository.root, decided, 'promote')).rejects.toMatchObject(moved);
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository.root, encoding: 'utf8' });
    expect(head.trim()).toBe(other);
  });
});

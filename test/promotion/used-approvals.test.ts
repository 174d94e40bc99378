import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPromotion, withStatus } from '../../src/promotion/decide/promotion-file.ts';
import type { PromotionStatus, Release } from '../../src/promotion/decide/promotion.ts';
import { readApprovals } from '../../src/promotion/git/approvals.ts';
import { GitRepository } from '../e2e/repository.ts';
import { promotionText } from './app.ts';
import { generator } from './generator.ts';

const [one, two] = ['a'.repeat(64), 'b'.repeat(64)];
const file = 'promotions/hello.yaml';
const source = 'c'.repeat(40);

let repository: GitRepository;
beforeEach(() => {
  repository = new GitRepository();
  repository.commit('begin', { [file]: text([]) });
});
afterEach(() => {
  repository.remove();
});

function text(approved: readonly string[], status: PromotionStatus = {}, approvers = true): string {
  const entries = approved.map((entry) => `\n    - ${entry}`).join('');
  const allowed = approvers ? '\n  approvers: { emails: [alice@example.com] }' : '';
  return withStatus(promotionText(`\n  approval: release${allowed}\n  approved:${entries || ' []'}`), status);
}

function releaseOf(hash: string): Release {
  return {
    hash,
    source,
    base: source,
    released: 1,
    gates: { g: {} },
    waves: [[{ addOn: 'hello', gate: 'g', clusters: { c1: hash.slice(0, 16) } }]],
  };
}

function current(): string {
  return readFileSync(path.join(repository.root, file), 'utf8');
}

function statusOf(): PromotionStatus {
  return readPromotion(file, current(), 'hello').value?.status ?? {};
}

function git(...parameters: readonly string[]): void {
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  execFileSync('git', parameters, {
    cwd: repository.root,
    env: { ...process.env, ...identity },
    stdio: 'pipe',
  });
}

function setStatus(message: string, status: PromotionStatus): void {
  repository.commit(message, { [file]: withStatus(current(), status) });
}

const begin = (hash: string): void => setStatus('begin', { ...statusOf(), release: releaseOf(hash) });

function end(result: 'completed' | 'superseded' | 'rolled back'): void {
  const { release, history = [] } = statusOf();
  if (release === undefined) throw new Error('no release');
  const ended = { hash: release.hash, source, result };
  setStatus(result, { completed: { source }, history: [ended, ...history] });
}

function approve(hash: string, author = 'alice@example.com'): void {
  const next = current().includes('approved: []')
    ? current().replace('approved: []', `approved:\n    - ${hash}`)
    : current().replace('approved:\n', `approved:\n    - ${hash}\n`);
  repository.author = author;
  repository.commit('approve', { [file]: next });
  repository.author = undefined;
}

async function approvalOf(hash: string): Promise<string> {
  const { value } = readPromotion(file, current(), 'hello');
  if (value === undefined) throw new Error('a valid file');
  const approvals = await readApprovals(value, [one, two], repository.root, file);
  if (approvals === undefined) return 'counts';
  const approval = approvals.get(hash);
  if (approval === undefined) return 'missing';
  return approval.isCounted ? 'counts' : approval.text.replaceAll(/\b[0-9a-f]{12}\b/g, 'COMMIT');
}

const usedUp =
  'the approval in COMMIT is used up, because a release of this hash ended in COMMIT: approve it again, with a new line';

describe('an approval', () => {
  test.each(['completed', 'superseded', 'rolled back'] as const)(
    'is used up once its release is %s, and a new line approves again',
    async (result) => {
      approve(one);
      expect(await approvalOf(one)).toBe('counts');
      begin(one);
      expect(await approvalOf(one)).toBe('counts');
      end(result);
      expect(await approvalOf(one)).toBe(usedUp);
      begin(one);
      expect(await approvalOf(one)).toBe(usedUp);
      approve(one);
      expect(await approvalOf(one)).toBe('counts');
    },
  );

  test('is not used up by the release of another hash', async () => {
    begin(two);
    approve(one);
    end('completed');
    expect(await approvalOf(one)).toBe('counts');
  });

  test('is used up without approvers, too', async () => {
    repository.commit('no approvers', { [file]: text([], {}, false) });
    approve(one);
    begin(one);
    end('completed');
    begin(one);
    expect(await approvalOf(one)).toBe(usedUp);
    approve(one);
    expect(await approvalOf(one)).toBe('counts');
  });

  test('stays used up if another author writes the line again', async () => {
    approve(one);
    begin(one);
    end('completed');
    approve(one, 'mallory@example.com');
    expect(await approvalOf(one)).toMatch(/is used up|not one of spec.approvers/);
  });

  test('stays used up in a merge of an old branch, and in a file of another name', async () => {
    approve(one);
    git('branch', 'old');
    begin(one);
    end('completed');
    git('checkout', '--quiet', 'old');
    repository.commit('other', { other: '1' });
    git('checkout', '--quiet', 'main');
    git('merge', '--quiet', '--no-edit', 'old');
    expect(await approvalOf(one)).toBe(usedUp);
    // An evil merge takes the file of the old branch.
    git('checkout', '--quiet', 'old', '--', file);
    repository.commit('take the old file', {});
    expect(await approvalOf(one)).toBe(usedUp);
  });

  test('that was made on a branch before the end, and is merged after it, counts once', async () => {
    begin(one);
    git('checkout', '--quiet', '-b', 'approval');
    approve(one);
    git('checkout', '--quiet', 'main');
    end('completed');
    git('merge', '--quiet', '--no-edit', 'approval');
    expect(await approvalOf(one)).toBe('counts');
    begin(one);
    end('completed');
    expect(await approvalOf(one)).toBe(usedUp);
  });
});

const histories = Number(process.env['HISTORIES'] ?? 5);

test(`in ${histories} random histories, an approval counts for the first release after it only`, async () => {
  const seen = { counts: 0, used: 0, missing: 0 };
  for (let seed = 1; seed <= histories; seed += 1) {
    const random = generator(seed);
    repository.remove();
    repository = new GitRepository();
    repository.commit('begin', { [file]: text([], {}, random() < 0.5) });
    const approved = new Map<string, boolean>();
    let branch = 0;
    for (let step = 0; step < 14; step += 1) {
      const hash = random() < 0.6 ? one : two;
      const { release } = statusOf();
      const event = Math.floor(random() * 5);
      if (event === 0) {
        approve(hash);
        approved.set(hash, true);
      } else if (event <= 2 && release === undefined) begin(hash);
      else if (event <= 2 && release !== undefined) {
        end((['completed', 'superseded', 'rolled back'] as const)[Math.floor(random() * 3)] ?? 'completed');
        if (approved.has(release.hash)) approved.set(release.hash, false);
      } else {
        // The same through a branch: a merge keeps the commits of both sides.
        git('checkout', '--quiet', '-b', `b${(branch += 1)}`);
        repository.commit('unrelated', { [`f${branch}`]: String(step) });
        git('checkout', '--quiet', 'main');
        if (random() < 0.5) {
          approve(hash);
          approved.set(hash, true);
        }
        git('merge', '--quiet', '--no-ff', '--no-edit', `b${branch}`);
      }
      for (const each of [one, two]) {
        const expected = approved.get(each);
        const actual = await approvalOf(each);
        // Without an entry there is nothing to count.
        const wanted = expected === undefined ? actual : expected ? 'counts' : usedUp;
        expect(`seed ${seed}, step ${step}: ${actual}`).toBe(`seed ${seed}, step ${step}: ${wanted}`);
        if (expected === undefined) seen.missing += 1;
        if (expected === true) seen.counts += 1;
        if (expected === false) seen.used += 1;
      }
    }
  }
  expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([]);
}, 600_000);

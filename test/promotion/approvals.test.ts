import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPromotion } from '../../src/promotion/decide/promotion-file.ts';
import { readApprovals } from '../../src/promotion/git/approvals.ts';
import { GitRepository } from '../e2e/repository.ts';
import { promotionText } from './app.ts';

const hash = 'a'.repeat(64);
const other = 'b'.repeat(64);
const file = 'promotions/hello.yaml';

let repository: GitRepository;
beforeEach(() => {
  repository = new GitRepository();
  repository.commit('begin', { [file]: text([]) });
});
afterEach(() => {
  repository.remove();
});

function text(approved: readonly string[], signed = false): string {
  const entries = approved.map((entry) => `\n    - ${entry}`).join('');
  const spec = `\n  approval: release\n  approvers: { emails: [Alice@Example.com], signed: ${signed} }\n  approved:${entries || ' []'}`;
  return `${promotionText(spec)}status:\n  completed:\n    source: ${'c'.repeat(40)}\n`;
}

function git(author: string, ...parameters: readonly string[]): string {
  const identity = {
    GIT_AUTHOR_NAME: author,
    GIT_AUTHOR_EMAIL: `${author}@example.com`,
    GIT_COMMITTER_NAME: 'forge',
    GIT_COMMITTER_EMAIL: 'forge@example.com',
  };
  const env = { ...process.env, ...identity };
  return execFileSync('git', parameters, { cwd: repository.root, encoding: 'utf8', env, stdio: 'pipe' });
}

/** Commits a text of the promotion file. */
function commitAs(author: string, next: string, ...parameters: readonly string[]): void {
  repository.write({ [file]: next });
  git(author, 'add', '--all');
  git(author, 'commit', '--quiet', '--message', 'approve', ...parameters);
}

async function approvalOf(entry: string, root = repository.root): Promise<string> {
  const { value } = readPromotion(file, readFileSync(path.join(root, file), 'utf8'), 'hello');
  if (value === undefined) throw new Error('a valid file');
  const approval = (await readApprovals(value, [hash, other], root, file))?.get(entry);
  if (approval === undefined) return 'missing';
  return `${approval.isCounted ? 'counts' : 'does not count'}: ${approval.text.replace(/\b[0-9a-f]{12}\b/, 'COMMIT')}`;
}

describe('an approval', () => {
  test('counts if an allowed author committed its line', async () => {
    commitAs('alice', text([hash]));
    expect(await approvalOf(hash)).toBe('counts: approved by alice@example.com in COMMIT');
    // Others change other lines, above and below.
    commitAs('mallory', `# a comment\n${text([hash, other])}`);
    expect(await approvalOf(hash)).toBe('counts: approved by alice@example.com in COMMIT');
    expect(await approvalOf(other)).toBe(
      'does not count: the approval is by mallory@example.com in COMMIT, who is not one of spec.approvers',
    );
  });

  test('does not count if another author changed its line later, or moved it to an allowed one', async () => {
    commitAs('alice', text([other]));
    commitAs('mallory', text([hash]));
    expect(await approvalOf(hash)).toMatch(/^does not count: the approval is by mallory@example.com/);
  });

  test('in a merge has the author of the commit, not of the merge', async () => {
    git('alice', 'checkout', '--quiet', '-b', 'approve');
    commitAs('mallory', text([hash]));
    git('alice', 'checkout', '--quiet', 'main');
    git('alice', 'merge', '--quiet', '--no-ff', '--message', 'merge', 'approve');
    expect(await approvalOf(hash)).toMatch(/^does not count: the approval is by mallory@example.com/);
  });

  test('does not count before it is committed', async () => {
    repository.write({ [file]: text([hash]) });
    expect(await approvalOf(hash)).toBe(
      'does not count: the approval is not committed as a line with the hash',
    );
  });

  test('does not count through an alias, whose line has another author than the hash', async () => {
    const aliased = text([]).replace('metadata: {', `metadata: { annotations: { x: &x ${hash} },`);
    commitAs('mallory', aliased);
    commitAs('alice', aliased.replace('approved: []', 'approved: [ *x ]'));
    const { value, diagnostics } = readPromotion(
      file,
      readFileSync(path.join(repository.root, file), 'utf8'),
      'hello',
    );
    const answer = value === undefined ? diagnostics.map(({ code }) => code).join() : await approvalOf(hash);
    expect(answer).toBe('does not count: the approval is not committed as a line with the hash');
  });

  test('is not renamed by a .mailmap, which anyone can write', async () => {
    repository.write({ '.mailmap': 'Alice <alice@example.com> <mallory@example.com>\n' });
    commitAs('mallory', text([hash]));
    expect(await approvalOf(hash)).toMatch(/^does not count: the approval is by mallory@example.com/);
  });

  test('is not read in a shallow clone (FW9132), whose oldest commit seems to have written everything', async () => {
    commitAs('mallory', text([hash]));
    repository.write({ README: 'later' });
    git('alice', 'add', '--all');
    git('alice', 'commit', '--quiet', '--message', 'later');
    const clone = path.join(repository.temporary, 'clone');
    git('alice', 'clone', '--quiet', '--depth=1', `file://${repository.root}`, clone);
    await expect(approvalOf(hash, clone)).rejects.toMatchObject({
      diagnostic: {
        code: 'FW9132',
        message:
          'this clone is shallow, so it is unknown who approved a release in promotions/hello.yaml, and whether the approval is used up',
      },
    });
  });

  test('with `signed` counts with a good signature of its author only', async () => {
    const keyOf = (author: string): string => {
      const key = path.join(repository.temporary, author);
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
      return key;
    };
    const [alice, bob, mallory] = ['alice', 'bob', 'mallory'].map(keyOf) as [string, string, string];
    const signers = path.join(repository.temporary, 'signers');
    const publicKey = (key: string): string => readFileSync(`${key}.pub`, 'utf8');
    writeFileSync(signers, `alice@example.com ${publicKey(alice)}bob@example.com ${publicKey(bob)}`);
    git('alice', 'config', 'gpg.format', 'ssh');
    git('alice', 'config', 'gpg.ssh.allowedSignersFile', signers);
    const signedBy = async (key: string | undefined): Promise<string> => {
      commitAs('alice', text([], true));
      const parameters = key === undefined ? [] : ['-S'];
      if (key !== undefined) git('alice', 'config', 'user.signingkey', key);
      commitAs('alice', text([hash], true), ...parameters);
      return await approvalOf(hash);
    };
    expect(await signedBy(undefined)).toBe(
      'does not count: the approval by alice@example.com in COMMIT has no good signature (N)',
    );
    expect(await signedBy(mallory)).toBe(
      'does not count: the approval by alice@example.com in COMMIT has no good signature (U)',
    );
    expect(await signedBy(bob)).toBe(
      'does not count: the approval by alice@example.com in COMMIT is signed by bob@example.com',
    );
    expect(await signedBy(alice)).toBe('counts: approved and signed by alice@example.com in COMMIT');
  });
});

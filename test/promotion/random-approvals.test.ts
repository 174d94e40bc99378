import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { readPromotion } from '../../src/promotion/decide/promotion-file.ts';
import type { Release } from '../../src/promotion/decide/promotion.ts';
import { appText } from './app.ts';
import { PromotedRepository } from './promoted-repository.ts';

// Random histories of a repository, with the real commands and the real Git. A small model, which knows nothing of lines, commits
// and blame, says which release may run: one with an approval that nobody has used yet.

/** Number of histories. */
const histories = Number(process.env['HISTORIES'] ?? 3);
const file = 'promotions/hello.yaml';
const [approver, other] = ['alice@example.com', 'mallory@example.com'];

type Step =
  /** Somebody merges another version of the app; `version` is the number of steps to it in a cycle of three. */
  | { readonly kind: 'merge'; readonly version: number }
  /** Somebody writes a line with the hash of the release in progress, or of an earlier one. */
  | {
      readonly kind: 'approve';
      readonly isCurrent: boolean;
      readonly earlier: number;
      readonly author: string;
      readonly isSigned: boolean;
    }
  /** Somebody removes all approvals, or writes those again that were there. */
  | { readonly kind: 'remove' | 'restore' }
  | { readonly kind: 'promote' | 'settle' | 'abort' | 'retry' };

const approval = fc.record({
  kind: fc.constant('approve' as const),
  isCurrent: fc.constantFrom(true, true, true, false),
  earlier: fc.nat(),
  author: fc.constantFrom(approver, approver, approver, approver, other),
  isSigned: fc.constantFrom(true, true, true, false),
});

const good = { kind: 'approve', isCurrent: true, earlier: 0, author: approver, isSigned: true } as const;

/** Waves that start one after another, and the end of the release: the app has three clusters. */
const wavesTo = (count: number): readonly Step[] =>
  Array.from({ length: count }, (): readonly Step[] => [{ kind: 'settle' }, { kind: 'promote' }]).flat();

/** The number of steps to the next version; 0 in a merge that changes nothing. */
const version = fc.constantFrom(1, 1, 1, 2, 2, 2, 0);

/** A release that reaches all clusters, if its content differs from the one before. */
const completed = version.map((merged): readonly Step[] => [
  { kind: 'merge', version: merged },
  { kind: 'promote' },
  good,
  { kind: 'promote' },
  ...wavesTo(4),
]);

/** A release that is rolled back on its way. A later merge of the same content needs `--retry`. */
const aborted = version.map((merged): readonly Step[] => [
  { kind: 'merge', version: merged },
  { kind: 'promote' },
  good,
  { kind: 'promote' },
  { kind: 'settle' },
  { kind: 'abort' },
  ...wavesTo(4),
  { kind: 'retry' },
  { kind: 'promote' },
]);

/** A merge of a version that may have been there, without a new approval. */
const repeated = version.map((merged): readonly Step[] => [
  { kind: 'merge', version: merged },
  { kind: 'promote' },
  { kind: 'promote' },
]);

/** Anything around one merge. Each part may be missing, so that releases overlap. */
const confused = fc
  .record({
    merged: version,
    early: fc.option(approval, { freq: 2 }),
    approvals: fc.array(approval, { maxLength: 2 }),
    settled: fc.integer({ min: 0, max: 4 }),
    end: fc.option(fc.constantFrom('abort' as const, 'retry', 'remove', 'restore'), { freq: 1 }),
  })
  .map(({ merged, early, approvals, settled, end }): readonly Step[] => [
    { kind: 'merge', version: merged },
    ...(early === null ? [] : [early]),
    { kind: 'promote' },
    ...approvals,
    { kind: 'promote' },
    ...wavesTo(settled),
    ...(end === null ? [] : ([{ kind: end }, { kind: 'promote' }] as const)),
  ]);
const phase = fc.oneof(
  { weight: 4, arbitrary: completed },
  { weight: 1, arbitrary: aborted },
  { weight: 2, arbitrary: repeated },
  { weight: 3, arbitrary: confused },
);
const steps = fc.array(phase, { minLength: 5, maxLength: 6, size: 'max' }).map((phases) => phases.flat());

let promoted: PromotedRepository | undefined;
afterEach(() => {
  promoted?.repository.remove();
  promoted = undefined;
  vi.unstubAllEnvs();
});

/** What the model knows: the hashes that are approved, and how often that decided. */
class Model {
  readonly approved = new Set<string>();
  readonly hashes: string[] = [];
  readonly seen: { ran: number; waited: number; replayed: number; refused: number; rolledBack: number };

  constructor(seen: Model['seen']) {
    this.seen = seen;
  }

  /** A command changed the release in progress. */
  changed(before: Release | undefined, after: Release | undefined): void {
    const isSame = before !== undefined && before.hash === after?.hash && before.source === after.source;
    // A release that ends uses up its approval, also if it ends before its first wave.
    if (before !== undefined && !isSame) this.approved.delete(before.hash);
    if (after === undefined) return;
    if (after.restores !== undefined) {
      this.seen.rolledBack += 1;
      return;
    }
    const [started, starts] = [isSame ? before.released : 0, after.released];
    if (starts > started && started === 0) {
      if (!this.approved.has(after.hash)) throw new Error(`${after.hash} runs without an approval`);
      this.seen.ran += 1;
      if (this.hashes.filter((hash) => hash === after.hash).length > 1) this.seen.replayed += 1;
    }
    if (starts === 0) {
      if (this.approved.has(after.hash)) throw new Error(`${after.hash} waits, although it is approved`);
      this.seen.waited += 1;
      if (this.hashes.slice(0, isSame ? -1 : undefined).includes(after.hash)) this.seen.refused += 1;
    }
    if (!isSame) this.hashes.push(after.hash);
  }
}

class History {
  readonly #promoted: PromotedRepository;
  readonly #model: Model;
  readonly #needsSignature: boolean;
  #removed: readonly string[] = [];
  #version = 0;

  constructor(started: PromotedRepository, model: Model, needsSignature: boolean) {
    this.#promoted = started;
    this.#model = model;
    this.#needsSignature = needsSignature;
  }

  async play(step: Step): Promise<void> {
    switch (step.kind) {
      case 'merge':
        this.#version = (this.#version + step.version) % 3;
        this.#promoted.commit(`version ${this.#version}`, {
          'apps/hello/app.yaml': appText(String(this.#version + 1)),
        });
        await this.#promoted.synthesized('synth');
        return;
      case 'approve': {
        const current = this.#release()?.hash;
        const earlier = this.#model.hashes[step.earlier % Math.max(1, this.#model.hashes.length)];
        const hash = (step.isCurrent ? current : undefined) ?? earlier;
        if (hash === undefined) return;
        this.#write([hash, ...this.#approved()], step.author, step.isSigned);
        if (step.author === approver && (step.isSigned || !this.#needsSignature))
          this.#model.approved.add(hash);
        return;
      }
      case 'remove':
        this.#removed = this.#approved();
        if (this.#removed.length === 0) return;
        this.#write([], other, false);
        this.#model.approved.clear();
        return;
      case 'restore':
        // The author of a line is the last one who wrote it.
        if (this.#approved().length > 0 || this.#removed.length === 0) return;
        this.#write(this.#removed, other, false);
        return;
      case 'settle':
        this.#promoted.pass(1);
        this.#promoted.sync();
        this.#promoted.pass(15);
        return;
      case 'promote':
        await this.#run('--commit');
        return;
      case 'abort':
        await this.#run('hello', '--abort', '--commit');
        return;
      case 'retry':
        await this.#run('hello', '--retry', '--commit');
    }
  }

  async #run(...parameters: readonly string[]): Promise<void> {
    const before = this.#release();
    const { code, err } = await this.#promoted.promote(...parameters);
    if (code === 2 && !err.startsWith('fleetwright: ')) throw new Error(err);
    this.#model.changed(before, this.#release());
  }

  #release(): Release | undefined {
    return readPromotion(file, this.#promoted.read(file), 'hello').value?.status.release;
  }

  #approved(): readonly string[] {
    return readPromotion(file, this.#promoted.read(file), 'hello').value?.spec.approved ?? [];
  }

  #write(approved: readonly string[], author: string, isSigned: boolean): void {
    const text = this.#promoted
      .read(file)
      .replace(
        /^ {2}approved:(?: \[\]\n|\n(?: {4}- .*\n)*)/m,
        approved.length === 0
          ? '  approved: []\n'
          : `  approved:\n${approved.map((hash) => `    - ${hash}\n`).join('')}`,
      );
    const { root, temporary } = this.#promoted.repository;
    this.#promoted.repository.write({ [file]: text });
    const key = ['-c', 'gpg.format=ssh', '-c', `user.signingkey=${path.join(temporary, author)}`];
    const env = { ...process.env, GIT_AUTHOR_EMAIL: author, GIT_AUTHOR_NAME: 'A' };
    execFileSync('git', ['add', '--all'], { cwd: root });
    execFileSync('git', [...key, 'commit', '--quiet', ...(isSigned ? ['-S'] : []), '--message', 'approve'], {
      cwd: root,
      env,
    });
  }
}

async function begin(needsSignature: boolean, supersedes: boolean): Promise<PromotedRepository> {
  const started = new PromotedRepository();
  promoted = started;
  const { root, temporary } = started.repository;
  vi.stubEnv('GIT_COMMITTER_NAME', 'A');
  vi.stubEnv('GIT_COMMITTER_EMAIL', 'a@example.com');
  vi.stubEnv('GIT_AUTHOR_NAME', 'A');
  vi.stubEnv('GIT_AUTHOR_EMAIL', 'a@example.com');
  const keys = [approver, other].map((author) => {
    const key = path.join(temporary, author);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    return `${author} ${readFileSync(`${key}.pub`, 'utf8')}`;
  });
  writeFileSync(path.join(temporary, 'signers'), keys.join(''));
  execFileSync('git', ['config', 'gpg.format', 'ssh'], { cwd: root });
  execFileSync('git', ['config', 'gpg.ssh.allowedSignersFile', path.join(temporary, 'signers')], {
    cwd: root,
  });
  const approvers = `{ emails: [${approver}], signed: ${needsSignature} }`;
  const busy = supersedes ? '\n  whenBusy: supersede' : '';
  await started.begin(
    ['a', 'b', 'c'],
    `\n  approval: release\n  approvers: ${approvers}${busy}\n  approved: []`,
  );
  await started.promote('--commit');
  started.sync();
  return started;
}

test(`in ${histories} random histories, exactly the releases with an unused approval run`, async () => {
  // `replayed` ran again with a new approval, and `refused` waits because the earlier one is used up.
  const seen = { ran: 0, waited: 0, replayed: 0, refused: 0, rolledBack: 0 };
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.boolean(), steps, async (needsSignature, supersedes, history) => {
      promoted?.repository.remove();
      const started = await begin(needsSignature, supersedes);
      const played = new History(started, new Model(seen), needsSignature);
      for (const step of history) await played.play(step);
    }),
    { numRuns: histories, seed: Number(process.env['SEED'] ?? 36), endOnFailure: true },
  );
  process.stderr.write(`${JSON.stringify({ histories, ...seen })}\n`);
  expect(seen.ran).toBeGreaterThan(0);
  expect(seen.waited).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
}, 3_600_000);

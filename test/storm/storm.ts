import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linkDependencies } from '../linked-repository.ts';
import { fleetOf } from '../resolve-text.ts';
import { runIn, type Ran } from '../cli/run-in.ts';
import { filesOf, randomFrom, Repository } from './history.ts';
import { appsOf, changesOf, sourcesOf, typeScriptApp, type Change } from './sources.ts';
import { clusterLabels, clusters, type StormHub } from './storm-hub.ts';

/** What a storm did. */
export interface StormResult {
  readonly seed: number;
  readonly accepted: number;
  readonly refused: number;
  /** The refusals by code; `outdated` is the list of differences. */
  readonly reasons: Readonly<Record<string, number>>;
  /** What is wrong: an accepted state that deletes what the hub uses, or a refusal without a reason or a remedy. */
  readonly faults: readonly string[];
  readonly commits: number;
  /** The number of commits that the engine applied. */
  readonly syncs: number;
}

/** One storm over a repository and a hub. */
class Storm {
  readonly repository = new Repository(mkdtempSync(path.join(tmpdir(), 'fleetwright-storm-')));
  readonly random: () => number;
  readonly hub: StormHub;
  readonly changes: readonly Change[];
  readonly faults: string[] = [];
  readonly reasons: Record<string, number> = {};
  readonly log: string[] = [];
  accepted = 0;
  refused = 0;
  syncs = 0;

  readonly seed: number;

  constructor(seed: number, hub: StormHub) {
    this.seed = seed;
    this.random = randomFrom(seed);
    this.hub = hub;
    this.changes = changesOf(hub.prefix);
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }

  async command(...parameters: readonly string[]): Promise<Ran> {
    return await runIn(this.repository.folder, parameters);
  }

  async begin(): Promise<void> {
    const { repository } = this;
    const { plain, immutable, typeScript, third } = appsOf(this.hub.prefix);
    const hasTypeScript = this.seed % 10 === 0;
    // The rollout outlives so few earlier revisions in the output: then only their protection keeps them on the hub.
    const limit = this.seed % 4 === 0 ? 'revisionHistoryLimit: 1\n' : '';
    repository.write('fleetwright.yaml', `engine: ${this.hub.engine}\n${limit}`);
    repository.write(
      'fleet.yaml',
      fleetOf(Object.fromEntries(clusters.map((cluster) => [cluster, clusterLabels]))),
    );
    for (const app of hasTypeScript ? [plain, immutable] : [plain, immutable, third])
      for (const [file, text] of Object.entries(sourcesOf(app, 0)))
        repository.write(`apps/${app}/${file}`, text);
    repository.write('.gitignore', 'node_modules\n');
    if (hasTypeScript) {
      linkDependencies(repository.folder);
      repository.write(`apps/${typeScript}/app.ts`, typeScriptApp(typeScript, 0));
    }
    const { code, err } = await this.command('synth');
    if (code !== 0) throw new Error(err);
    repository.commit('first');
    await this.sync();
  }

  /** The state of the working tree is a candidate for the branch, after `base`. */
  async offer(base: string, what: string): Promise<void> {
    const { repository } = this;
    const check = await this.command('synth', '--check', '--base', base);
    if (check.code === 0) return await this.accept(what);
    this.refused += 1;
    const codes = [...check.err.matchAll(/^error (FW\d+)/gm)].map(([, code = '']) => code);
    // A revert of the first commit leaves no workspace.
    const isGone = check.err.startsWith('fleetwright: no folder apps\n');
    for (const code of new Set(codes.length > 0 ? codes : [isGone ? 'no workspace' : 'outdated']))
      this.reasons[code] = (this.reasons[code] ?? 0) + 1;
    if (codes.length === 0 && !isGone && !check.err.includes('run synth'))
      this.fault(`${what}: refused without a reason: ${check.err}`);
    if (codes.some((code) => code.startsWith('FW915')) && !check.err.includes('fleetwright synth'))
      this.fault(`${what}: refused without a remedy`);
    // The one command that mends it.
    const mended = await this.command('synth', '--base', base);
    if (mended.code !== 0) {
      repository.git('reset', '--quiet', '--hard', base);
      repository.git('clean', '-fdq');
      return;
    }
    repository.commit(`mend ${what}`);
    const again = await this.command('synth', '--check', '--base', base);
    if (again.code !== 0) this.fault(`${what}: refused again after synth: ${again.err}${again.out}`);
    else await this.accept(`${what}, mended`);
  }

  async accept(what: string): Promise<void> {
    this.accepted += 1;
    this.log.push(what);
    // An engine misses commits, and a rollout is always under way.
    if (this.random() < 0.7) await this.sync();
    if (this.random() < 0.5) await this.hub.advance(this.pick(clusters));
  }

  async sync(): Promise<void> {
    this.syncs += 1;
    for (const wrong of await this.hub.sync(this.repository)) this.fault(wrong);
  }

  fault(text: string): void {
    this.faults.push(`seed ${this.seed}, after ${this.log.slice(-4).join(' > ')}: ${text}`);
  }

  async change(message: string): Promise<void> {
    this.pick(this.changes)(this.repository, this.random);
    // Some forget to compile.
    if (this.random() < 0.9) await this.command('synth');
    this.repository.commit(message);
  }

  async step(number: number): Promise<void> {
    const { repository } = this;
    const base = repository.head;
    const kind = this.random();
    const count = kind < 0.25 || kind >= 0.86 ? 0 : repository.length;
    const back = (most: number): string => `HEAD~${Math.min(count - 1, Math.floor(this.random() * most))}`;
    if (kind < 0.25) {
      await this.change(`change ${number}`);
      return await this.offer(base, 'change');
    }
    if (kind < 0.5) {
      const isSquash = kind > 0.4;
      repository.git('checkout', '--quiet', '-B', 'topic', back(4));
      for (let index = 0; index <= Math.floor(this.random() * 3); index++)
        await this.change(`topic ${number}.${index}`);
      repository.git('checkout', '--quiet', 'main');
      const merged = isSquash
        ? repository.try('merge', '--squash', 'topic')
        : repository.try('merge', '--no-edit', '--no-ff', 'topic');
      if (!merged) {
        // A team takes one side of its sources, and may leave the output to synth.
        repository.try('checkout', this.pick(['--ours', '--theirs']), '--', 'apps');
        repository.try('add', 'apps');
        if (this.random() < 0.7) await this.command('synth');
      }
      repository.commit(isSquash ? `squash ${number}` : `merge ${number}`);
      return await this.offer(base, isSquash ? 'squash' : 'merge');
    }
    if (kind < 0.65 && count > 1) {
      const target = back(3);
      const isMerge = repository.git('rev-list', '--parents', '-n', '1', target).split(' ').length > 2;
      if (!repository.try('revert', '--no-edit', ...(isMerge ? ['-m', '1'] : []), target)) {
        repository.try('revert', '--abort');
        repository.git('reset', '--quiet', '--hard', base);
      } else repository.commits += 1;
      return await this.offer(base, 'revert');
    }
    if (kind < 0.72 && count > 2) {
      const commits = repository.git('log', '--all', '--no-merges', '--format=%H', '-n', '20').split('\n');
      if (!repository.try('cherry-pick', this.pick(commits))) {
        repository.try('cherry-pick', '--abort');
        repository.git('reset', '--quiet', '--hard', base);
      } else repository.commits += 1;
      return await this.offer(base, 'cherry-pick');
    }
    if (kind < 0.79 && count > 2) {
      repository.git('reset', '--quiet', '--hard', back(4));
      return await this.offer(base, 'force-push');
    }
    if (kind < 0.86 && count > 2) {
      repository.try('checkout', back(5), '--', 'dist');
      repository.commit(`restore dist ${number}`);
      return await this.offer(base, 'restored dist');
    }
    const files = filesOf(path.join(repository.folder, 'dist')).map((file) =>
      path.relative(repository.folder, file),
    );
    const file = this.pick(files);
    const text = repository.read(file);
    this.pick([
      () => repository.remove(file),
      () => repository.write(file, `${text}# by hand\n`),
      () => repository.write(file, text.replace(/Prune=false|disabled/g, 'Other')),
      () => repository.write(file, `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> topic\n`),
    ])();
    repository.commit(`hand edit ${number}`);
    return await this.offer(base, `hand edit of ${path.basename(file)}`);
  }
}

/** Plays a random history of 10 to 40 commits. */
export async function storm(seed: number, hub: StormHub): Promise<StormResult> {
  const run = new Storm(seed, hub);
  try {
    await run.begin();
    const length = 10 + Math.floor(run.random() * 31);
    const { repository } = run;
    for (let number = 1; repository.commits < length; number++) await run.step(number);
    const { accepted, refused, reasons, faults, syncs } = run;
    return { seed, accepted, refused, reasons, faults, commits: repository.commits, syncs };
  } finally {
    run.repository.close();
  }
}

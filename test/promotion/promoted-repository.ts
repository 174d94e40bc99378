import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { serve, type ApiServer } from '../cli/api-server.ts';
import { GitRepository } from '../e2e/repository.ts';
import { fleetOf } from '../resolve-text.ts';
import { appText, promotionText } from './app.ts';
import { SimulatedHub } from './simulated-hub.ts';

const minute = 60_000;

/** A Git repository with a promoted app, and the simulated hub that an engine keeps in line with it. */
export class PromotedRepository {
  readonly repository = new GitRepository();
  readonly hub = new SimulatedHub();
  server: ApiServer | undefined;
  now = Date.parse('2026-06-01T08:00:00Z');

  /** Commits version 1 and a promotion, by default after version 1 is on all clusters. */
  async begin(
    clusters: readonly string[],
    spec?: string,
    strategy?: string,
    { isInstalled = true } = {},
  ): Promise<void> {
    this.server = await serve((url) => this.hub.answer(url));
    writeFileSync(path.join(this.repository.temporary, 'kubeconfig'), this.server.kubeconfig);
    this.commit('version 1', {
      'apps/hello/app.yaml': appText('1', strategy),
      'fleet.yaml': fleetOf(Object.fromEntries(clusters.map((name) => [name, {}]))),
    });
    if (isInstalled) await this.synthesized('synth of version 1');
    this.commit('promote hello', { 'promotions/hello.yaml': promotionText(spec) });
    if (!isInstalled) await this.synthesized('synth of version 1');
  }

  /** Runs synth and commits its output. */
  async synthesized(message: string): Promise<void> {
    const { code, err } = await this.run(['synth']);
    if (code !== 0) throw new Error(err);
    this.commit(message, {});
  }

  commit(message: string, files: Readonly<Record<string, string | undefined>>): string {
    this.#setTime();
    return this.repository.commit(message, files);
  }

  /** Lets another author commit. */
  as(email: string, commit: () => void): void {
    this.repository.author = email;
    commit();
    this.repository.author = undefined;
  }

  /** Runs `promote` at the current time. */
  async promote(...parameters: readonly string[]) {
    const kubeconfig = path.join(this.repository.temporary, 'kubeconfig');
    return await this.run(['promote', ...parameters, '--kubeconfig', kubeconfig]);
  }

  async run(parameters: readonly string[]) {
    this.#setTime();
    return await this.repository.fleetwright(parameters, '', { now: () => this.now });
  }

  /** Lets the engine apply what Git has, and the agents report. */
  sync(): void {
    this.hub.sync(this.files(), this.now);
    this.hub.report(this.now);
  }

  pass(minutes: number): void {
    this.now += minutes * minute;
  }

  /** The output of the app in the working tree. */
  files(): ReadonlyMap<string, string> {
    const folder = path.join(this.repository.root, 'dist/hello');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return new Map(
      names.filter((name) => name.endsWith('.yaml')).map((name) => [name, this.read(`dist/hello/${name}`)]),
    );
  }

  /** The version that the file of each cluster has, such as `a1 b2`. */
  versions(): string {
    return [...this.files()]
      .flatMap(([name, text]) => {
        const [, cluster] = /^clusters\/managedclusteraddon_(.+)_hello\.yaml$/.exec(name) ?? [];
        return cluster === undefined ? [] : [`${cluster}${/version: "?'?(\d+)/.exec(text)?.[1] ?? '?'}`];
      })
      .sort()
      .join(' ');
  }

  read(name: string): string {
    return readFileSync(path.join(this.repository.root, name), 'utf8');
  }

  #setTime(): void {
    vi.stubEnv('GIT_COMMITTER_DATE', `@${this.now / 1000} +0000`);
    vi.stubEnv('GIT_AUTHOR_DATE', `@${this.now / 1000} +0000`);
  }
}

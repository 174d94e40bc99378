import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import path from 'node:path';
import { readPolicies } from '../settings/policies.ts';
import { settingsFile } from '../settings/settings.ts';
import { SettingsFiles } from '../settings/settings-files.ts';
import { isPresent } from '../settings/settings-text.ts';
import { AppRunner, type AppRunnerOptions } from './app-runner.ts';
import type { AddedRunner, Runners } from './runners.ts';
import { rootOf } from './readable-paths.ts';

/** Runs apps in separate processes, confined as the policies of each state require. */
export class AppRunners implements Runners {
  readonly #runners = new Map<string, Promise<AppRunner>>();

  readonly #settingsFiles: SettingsFiles;
  readonly #roots = new Map<string, string>();
  readonly #revisions = new Map<string, Pick<AddedRunner, 'commit' | 'repository'>>();
  readonly #announced = new Set<string>();

  constructor(settingsFiles = new SettingsFiles()) {
    this.#settingsFiles = settingsFiles;
  }

  add({ commit, repository, ...options }: AddedRunner): void {
    if (options.root !== undefined) this.#roots.set(options.cwd, options.root);
    this.#revisions.set(options.cwd, { ...(commit && { commit }), ...(repository && { repository }) });
    this.#runners.set(options.cwd, Promise.resolve(new AppRunner(options)));
  }

  async in(cwd: string): Promise<AppRunner> {
    const runner = getOrInsertComputed(this.#runners, cwd, () =>
      optionsOf(cwd, this.#settingsFiles).then((options) => new AppRunner(options)),
    );
    return await runner;
  }

  revisionAt(cwd: string): string | undefined {
    return this.#roots.get(cwd);
  }

  repositoryOf(cwd: string): string | undefined {
    return this.#revisions.get(cwd)?.repository;
  }

  commitOf(cwd: string): string | undefined {
    return this.#revisions.get(cwd)?.commit;
  }

  isNew(notice: string): boolean {
    const isKnown = this.#announced.has(notice);
    this.#announced.add(notice);
    return !isKnown;
  }

  async end(): Promise<void> {
    for (const runner of this.#runners.values()) await (await runner.catch(() => undefined))?.end();
    this.#runners.clear();
  }
}

async function optionsOf(cwd: string, settingsFiles: SettingsFiles): Promise<AppRunnerOptions> {
  const root = rootOf({ cwd });
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (isPresent(path.join(folder, settingsFile))) {
      const { unconfined, requiresSandbox } = await readPolicies(
        { policy: undefined },
        { cwd: folder, settingsFiles },
      );
      return { cwd, root, unconfined, requiresSandbox };
    }
    if (folder === root || folder === path.dirname(folder)) return { cwd, root };
  }
}

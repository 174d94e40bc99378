import { isDeepStrictEqual } from 'node:util';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { AppRunner } from '../../workspace/app/app-runner.ts';
import type { AddedRunner, Runners } from '../../workspace/app/runners.ts';
import { KeptApps } from '../editor/kept-apps.ts';

/** Runs the apps of each state of the repository once, until the files of that state change. */
export class StateApps implements Runners {
  readonly #states = new Map<string, KeptApps>();
  readonly #options = new Map<string, AddedRunner>();
  readonly #announced = new Set<string>();
  readonly #ending: Promise<void>[] = [];

  add(options: AddedRunner): void {
    const { cwd } = options;
    if (isDeepStrictEqual(this.#options.get(cwd), options)) return;
    this.#drop(cwd);
    this.#options.set(cwd, options);
  }

  async in(cwd: string): Promise<AppRunner> {
    return await this.#state(cwd).in(cwd);
  }

  revisionAt(cwd: string): string | undefined {
    return this.#options.get(cwd)?.root;
  }

  repositoryOf(cwd: string): string | undefined {
    return this.#options.get(cwd)?.repository;
  }

  commitOf(cwd: string): string | undefined {
    return this.#options.get(cwd)?.commit;
  }

  isNew(notice: string): boolean {
    const isKnown = this.#announced.has(notice);
    this.#announced.add(notice);
    return !isKnown;
  }

  /** Runs the apps of some states again when they are needed next. */
  async forget(isStale: (cwd: string) => boolean): Promise<void> {
    for (const cwd of this.#states.keys()) if (isStale(cwd)) this.#drop(cwd);
    await Promise.all(this.#ending.splice(0));
  }

  async end(): Promise<void> {
    await this.forget(() => true);
  }

  #state(cwd: string): KeptApps {
    return getOrInsertComputed(this.#states, cwd, () => {
      const apps = new KeptApps();
      const options = this.#options.get(cwd);
      if (options !== undefined) apps.add(options);
      return apps;
    });
  }

  #drop(cwd: string): void {
    const state = this.#states.get(cwd);
    this.#states.delete(cwd);
    if (state !== undefined) this.#ending.push(state.end());
  }
}

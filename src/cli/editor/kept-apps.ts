import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { AppRunner, type AppRun } from '../../workspace/app/app-runner.ts';
import { AppRunners } from '../../workspace/app/app-runners.ts';
import type { SentHub } from '../../workspace/app/message.ts';
import type { Runners } from '../../workspace/app/runners.ts';

/** Runs each app once until a file changes: an edit of YAML that is not saved changes nothing that an app can read. */
export class KeptApps implements Runners {
  #runners = new AppRunners();
  readonly #kept = new Map<string, Promise<AppRunner>>();

  add(options: Parameters<Runners['add']>[0]): void {
    this.#runners.add(options);
  }

  async in(cwd: string): Promise<AppRunner> {
    return await getOrInsertComputed(
      this.#kept,
      cwd,
      async () => new KeptRuns(await this.#runners.in(cwd), cwd),
    );
  }

  revisionAt(cwd: string): string | undefined {
    return this.#runners.revisionAt(cwd);
  }

  repositoryOf(cwd: string): string | undefined {
    return this.#runners.repositoryOf(cwd);
  }

  commitOf(cwd: string): string | undefined {
    return this.#runners.commitOf(cwd);
  }

  isNew(notice: string): boolean {
    return this.#runners.isNew(notice);
  }

  /** Runs every app again when it is asked for next. */
  async forget(): Promise<void> {
    await this.end();
    this.#runners = new AppRunners();
  }

  async end(): Promise<void> {
    this.#kept.clear();
    await this.#runners.end();
  }
}

/** Passes on what another runner answers, and keeps it. */
class KeptRuns extends AppRunner {
  readonly #runner: AppRunner;
  readonly #runs = new Map<string, Promise<AppRun>>();

  constructor(runner: AppRunner, cwd: string) {
    super({ cwd });
    this.#runner = runner;
  }

  override async run(file: string, hub?: SentHub): Promise<AppRun> {
    const key = JSON.stringify([file, hub]);
    const earlier = this.#runs.get(key);
    // What the app printed is shown once.
    if (earlier !== undefined) return { ...(await earlier), printed: '' };
    const run = this.#runner.run(file, hub);
    this.#runs.set(key, run);
    return await run;
  }
}

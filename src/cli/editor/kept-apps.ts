import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { UnreadableApp } from '../../workspace/app/app-code.ts';
import { AppStopped } from '../../workspace/app/app-process.ts';
import { AppRunner, type AppRun } from '../../workspace/app/app-runner.ts';
import { AppRunners } from '../../workspace/app/app-runners.ts';
import type { SentHub } from '../../workspace/app/message.ts';
import { RefusedApp } from '../../workspace/app/refused-app.ts';
import type { Runners } from '../../workspace/app/runners.ts';

/**
 * How long a run is kept that was stopped, in milliseconds. The machine may have been busy or asleep. An app that never ends must not
 * delay every answer.
 */
const stoppedRunKept = 60_000;

/** Runs each app once until a file changes: an edit of YAML that is not saved changes nothing that an app can read. */
export class KeptApps implements Runners {
  readonly #now: () => number;
  #runners = new AppRunners();
  readonly #kept = new Map<string, Promise<KeptRuns>>();

  /** @param now - milliseconds since the epoch. @default - the clock of the machine */
  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  add(options: Parameters<Runners['add']>[0]): void {
    this.#runners.add(options);
  }

  async in(cwd: string): Promise<AppRunner> {
    return await getOrInsertComputed(
      this.#kept,
      cwd,
      async () => new KeptRuns(await this.#runners.in(cwd), cwd, this.#now),
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

  /** Returns when the first app that was stopped runs again, in milliseconds since the epoch; undefined if no app was stopped. */
  async nextRun(): Promise<number | undefined> {
    const settled = await Promise.allSettled(this.#kept.values());
    const times = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value.nextRuns() : []));
    return times.length === 0 ? undefined : Math.min(...times);
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

/** A run, and when the app runs again. */
interface KeptRun {
  readonly run: Promise<AppRun>;
  /** In milliseconds since the epoch. @default - not before a file changes */
  nextRun?: number;
}

/** Passes on what another runner answers, and keeps it. */
class KeptRuns extends AppRunner {
  readonly #runner: AppRunner;
  readonly #now: () => number;
  readonly #runs = new Map<string, KeptRun>();

  constructor(runner: AppRunner, cwd: string, now: () => number) {
    super({ cwd });
    this.#runner = runner;
    this.#now = now;
  }

  override async run(file: string, hub?: SentHub): Promise<AppRun> {
    const key = JSON.stringify([file, hub]);
    const earlier = this.#runs.get(key);
    // What the app printed is shown once.
    if (earlier !== undefined && this.#now() < (earlier.nextRun ?? Infinity))
      return { ...(await earlier.run), printed: '' };
    const kept: KeptRun = {
      run: this.#runner.run(file, hub).then(
        (run) => {
          if (!canDiffer(run.answer)) return run;
          kept.nextRun = this.#now() + stoppedRunKept;
          return { ...run, repetition };
        },
        (error: unknown) => {
          // A failure of the machine can pass.
          const isOfApp = error instanceof UnreadableApp || error instanceof RefusedApp;
          if (!isOfApp && this.#runs.get(key) === kept) this.#runs.delete(key);
          throw error;
        },
      ),
    };
    this.#runs.set(key, kept);
    return await kept.run;
  }

  nextRuns(): readonly number[] {
    return [...this.#runs.values()].flatMap(({ nextRun }) => nextRun ?? []);
  }
}

const repetition = `the app runs again with the first edit after ${stoppedRunKept / 1000} s`;

/** Whether the same app can have another answer the next time: one that its machine delayed or ended, as opposed to a large one. */
function canDiffer(answer: AppRun['answer']): boolean {
  return answer instanceof AppStopped && answer.limit !== 'size';
}

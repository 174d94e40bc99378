import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';
import type { AppCode } from './app-code.ts';
import { AppProcess, AppStopped } from './app-process.ts';
import type { SentHub } from './message.ts';
import { prepareApp } from './prepare-app.ts';
import { isReadable, readablePaths, rootOf, type AppFolders } from './readable-paths.ts';

export interface AppRunnerOptions extends AppFolders {
  /**
   * Names of apps that may do everything that the user may do. The name of an app is that of its folder.
   * @default - none
   */
  readonly unconfined?: readonly string[];
  /**
   * The timeout of an app, in milliseconds.
   * @default 300,000
   */
  readonly timeout?: number;
}

/** The result of running an app. */
export interface AppRun {
  readonly code: AppCode;
  /** The answer as the child wrote it: JSON, unless the app changed it. */
  readonly answer: string | AppStopped;
  /** The output of the app. */
  readonly printed: string;
  /** Whether the app may read a file. Reports of the app about other files are not shown. */
  readonly mayRead: (file: string) => boolean;
}

/** Maximum number of characters that are kept of the output of an app. */
const longestPrint = 64 * 1024;

/**
 * Runs the apps of one state of a repository in separate processes: one for all apps, and one for the unconfined
 * apps. Apps of one state can reach each other. They can reach neither the command nor another state.
 */
export class AppRunner {
  readonly #options: AppRunnerOptions;
  readonly #processes = new Map<boolean, AppProcess>();
  #temporary: Promise<TemporaryFolder> | undefined;
  #readable: Promise<readonly string[]> | undefined;
  #printed = '';
  readonly #forEveryHub = new Map<string, AppRun>();
  readonly #takingHub = new Set<string>();

  constructor(options: AppRunnerOptions) {
    this.#options = options;
  }

  /** The result of an app that is the same for every hub. */
  keep(file: string, run: AppRun): void {
    this.#forEveryHub.set(file, run);
  }

  /** Whether an app was found to export a function of a hub. */
  takesHub(file: string): boolean {
    return this.#takingHub.has(file);
  }

  /** Records that an app exports a function of a hub. */
  noteTakesHub(file: string): void {
    this.#takingHub.add(file);
  }

  /**
   * Runs the app in a file.
   *
   * @param hub - the argument of an app that exports a function
   * @throws UnreadableApp if its code has an error.
   */
  async run(file: string, hub?: SentHub): Promise<AppRun> {
    const earlier = this.#forEveryHub.get(file);
    if (earlier !== undefined) return { ...earlier, printed: '' };
    const real = await realpath(file);
    const isConfined = !(this.#options.unconfined ?? []).includes(path.basename(path.dirname(real)));
    const readable = isConfined ? await (this.#readable ??= this.#readablePaths()) : undefined;
    // The process starts while the code is prepared.
    const child = this.#process(isConfined, readable);
    const { folder } = await this.#folder();
    const mayRead = (place: string): boolean => readable === undefined || isReadable(place, readable);
    const code = await prepareApp(real, {
      cwd: await realpath(this.#options.cwd),
      root: await realpath(rootOf(this.#options)),
      temporary: folder,
      mayRead,
    });
    this.#printed = '';
    const answer = await child
      .ask({ module: code.module, userCode: code.userCode, ...(hub && { hub }) })
      .catch((error: unknown) => {
        if (error instanceof AppStopped) return error;
        throw error;
      });
    // The output of the app arrives on another pipe.
    await new Promise((resolve) => setImmediate(resolve));
    return { code, answer, printed: this.#printed, mayRead };
  }

  /** Ends the processes. */
  async end(): Promise<void> {
    await Promise.all([...this.#processes.values()].map(async (process) => await process.end()));
    await (await this.#temporary)?.remove();
    this.#temporary = undefined;
  }

  #process(isConfined: boolean, readable: readonly string[] | undefined): AppProcess {
    const running = this.#processes.get(isConfined);
    if (running?.isAlive === true) return running;
    const started = new AppProcess({
      cwd: this.#options.cwd,
      ...(readable && { readable }),
      timeout: this.#options.timeout ?? 300_000,
      print: (text) => {
        if (this.#printed.length <= longestPrint) this.#printed += text;
      },
    });
    this.#processes.set(isConfined, started);
    return started;
  }

  async #folder(): Promise<TemporaryFolder> {
    return await (this.#temporary ??= openTemporaryFolder('fleetwright-apps-'));
  }

  async #readablePaths(): Promise<readonly string[]> {
    const [{ folder }, paths] = await Promise.all([this.#folder(), readablePaths(this.#options)]);
    return [...paths, `${folder}/`];
  }
}

import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';
import type { AppCode } from './app-code.ts';
import { AppProcess, AppStopped, type AppProcessOptions } from './app-process.ts';
import { committedPackages } from './committed-packages.ts';
import type { SentHub } from './message.ts';
import { prepareApp } from './prepare-app.ts';
import { notConfined, refusedPackages, withoutSandbox } from './refused-app.ts';
import { findSandbox, inSandbox, type Sandbox } from './sandbox.ts';
import { sandboxView } from './sandbox-view.ts';
import { isReadable, readablePaths, rootOf, type AppFolders } from './readable-paths.ts';

export interface AppRunnerOptions extends AppFolders {
  /**
   * Names of apps that may do everything that the user may do. The name of an app is that of its folder.
   * @default - none
   */
  readonly unconfined?: readonly string[];
  /**
   * Whether apps run only if the operating system confines them.
   * @default false
   */
  readonly requiresSandbox?: boolean;
  /**
   * The sandbox to use, for tests; `none` for none.
   * @default - bubblewrap, else unshare, else none
   */
  readonly sandbox?: Sandbox['kind'] | 'none';
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
  /** When a run that was stopped is repeated, as a sentence. @default - never, as far as the runner knows */
  readonly repetition?: string;
  /** The output of the app. */
  readonly printed: string;
  /** Why the operating system does not confine the app. @default - it does, or the app is not confined at all */
  readonly notice?: string;
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
  #confinement: Promise<Confinement> | undefined;
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
   * @throws UnreadableApp if its code has an error
   * @throws RefusedApp if it may not run here
   */
  async run(file: string, hub?: SentHub): Promise<AppRun> {
    const earlier = this.#forEveryHub.get(file);
    if (earlier !== undefined) return { ...earlier, printed: '' };
    const real = await realpath(file);
    const isConfined = !(this.#options.unconfined ?? []).includes(path.basename(path.dirname(real)));
    const confinement = isConfined ? await (this.#confinement ??= this.#confine()) : undefined;
    const readable = confinement?.readable;
    // The process starts while the code is prepared.
    const child = this.#process(isConfined, confinement);
    const { folder } = await this.#folder();
    const mayRead = (place: string): boolean => readable === undefined || isReadable(place, readable);
    const code = await prepareApp(real, {
      cwd: await realpath(this.#options.cwd),
      root: await realpath(rootOf(this.#options)),
      temporary: modulesIn(folder),
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
    const notice = confinement?.notice;
    return { code, answer, printed: this.#printed, mayRead, ...(notice !== undefined && { notice }) };
  }

  /** Ends the processes. */
  async end(): Promise<void> {
    await Promise.all([...this.#processes.values()].map(async (process) => await process.end()));
    await (await this.#temporary)?.remove();
    this.#temporary = undefined;
  }

  #process(isConfined: boolean, confinement: Confinement | undefined): AppProcess {
    const running = this.#processes.get(isConfined);
    if (running?.isAlive === true) return running;
    const started = new AppProcess({
      cwd: this.#options.cwd,
      ...confinement,
      timeout: this.#options.timeout ?? 300_000,
      print: (text) => {
        if (this.#printed.length <= longestPrint) this.#printed += text;
      },
    });
    this.#processes.set(isConfined, started);
    return started;
  }

  async #folder(): Promise<TemporaryFolder> {
    return await (this.#temporary ??= this.#open());
  }

  async #open(): Promise<TemporaryFolder> {
    const temporary = await openTemporaryFolder('fleetwright-apps-');
    await mkdir(modulesIn(temporary.folder));
    return temporary;
  }

  async #confine(): Promise<Confinement> {
    const { sandbox: only, requiresSandbox, links } = this.#options;
    const [{ folder }, found] = await Promise.all([
      this.#folder(),
      only === 'none' ? { missing: 'the sandbox is off' } : findSandbox(only),
    ]);
    const isSandboxed = 'sandbox' in found;
    if (!isSandboxed && requiresSandbox === true) throw withoutSandbox(found.missing);
    const [committed] = await committedPackages(rootOf(this.#options), links);
    if (committed !== undefined) throw refusedPackages(committed);
    const { root, cwd, paths, endpoints } = await readablePaths({ ...this.#options, isSandboxed });
    const readable = [...paths, `${modulesIn(folder)}/`];
    if (!isSandboxed) return { readable, notice: notConfined(found.missing) };
    const view = sandboxView({ root, cwd, readable, endpoints });
    return {
      readable,
      confine: (command, variables) => inSandbox(found.sandbox, view, folder, command, variables),
    };
  }
}

/** The limits of the processes of confined apps. */
interface Confinement extends Pick<AppProcessOptions, 'confine'> {
  readonly readable: readonly string[];
  readonly notice?: string;
}

/** Returns the folder of the modules of apps. The folder around it is for the sandbox, and apps do not see it. */
function modulesIn(folder: string): string {
  return path.join(folder, 'modules');
}

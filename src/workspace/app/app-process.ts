import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Duplex } from 'node:stream';
import { largestAnswer, type AppRequest } from './message.ts';
import { childProgram } from './child-program.ts';
import { closeInherited, sandboxPath, type SandboxedCommand } from './sandbox.ts';
import { endWithParent } from './end-with-parent.ts';

/** The reason why an app returned no answer. */
export class AppStopped extends Error {
  /** The limit that was exceeded. @default - none: its process ended */
  readonly limit: 'time' | 'size' | undefined;

  constructor(message: string, limit?: 'time' | 'size') {
    super(message);
    this.limit = limit;
  }
}

export interface AppProcessOptions {
  readonly cwd: string;
  /**
   * The paths that apps may read.
   * @default - apps may do everything that the user may do
   */
  readonly readable?: readonly string[];
  /** Returns the command that runs a command in a sandbox. @default - the process is not in a sandbox */
  readonly confine?: (
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
  ) => SandboxedCommand;
  /** The timeout of an app, in milliseconds. */
  readonly timeout: number;
  /** Receives the output of the apps. */
  readonly print: (text: string) => void;
}

/**
 * A process that runs apps one after the other. With `readable`, its environment is nearly empty, and it may neither
 * write files nor start processes, as far as Node's permission model enforces this.
 */
export class AppProcess {
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #timeout: number;
  readonly #closed: Promise<void>;
  #received: Buffer[] = [];
  #size = 0;
  #settle: ((outcome: Buffer | Error) => void) | undefined;
  /** Resolves as soon as its program runs, or it has stopped. No code of an app runs before. */
  readonly #started: Promise<void>;
  #noteStart: () => void = ignore;
  #isStarted = false;
  /** The reason why it returns no more answers. */
  #stopped: AppStopped | undefined;

  constructor({ cwd, readable, confine, timeout, print }: AppProcessOptions) {
    this.#timeout = timeout;
    this.#started = new Promise((resolve) => {
      this.#noteStart = resolve;
    });
    // Node would open its debugger to any process of this user that sends this signal.
    process.on('SIGUSR1', ignore);
    const { file, parameters } = childProgram();
    const command = [
      process.execPath,
      ...(readable === undefined ? [] : permissionFlags(readable)),
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
      file,
      ...parameters,
    ];
    const confined = confine?.(command, { TZ: 'UTC' });
    const [program = '', ...others] =
      confined === undefined ? command : [confined.program, ...confined.parameters];
    this.#child = spawn(program, others, {
      cwd: confined === undefined ? cwd : '/',
      env:
        readable === undefined
          ? process.env
          : confined === undefined
            ? cleanEnvironment(process.env)
            : { PATH: sandboxPath },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...(confined?.filter === undefined ? [] : [confined.filter])],
    });
    if (confined !== undefined) closeInherited(confined);
    this.#channel = this.#child.stdio[3] as Duplex;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', print);
      stream?.on('error', () => {});
    }
    this.#channel.on('data', (bytes: Buffer) => this.#receive(bytes)).on('error', () => {});
    this.#child.on('error', (error) =>
      this.#stop(new AppStopped(`its process cannot be started: ${error.message}`)),
    );
    const release = this.#child.pid === undefined ? undefined : endWithParent(this.#child.pid);
    this.#closed = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        release?.();
        const name = signal ?? (confined === undefined ? undefined : signalOf(code ?? 0));
        const how = name === undefined ? `code ${code}` : `signal ${name}`;
        this.#stop(new AppStopped(`its process ended with ${how}`));
        resolve();
      });
    });
  }

  /** Whether the process accepts requests. */
  get isAlive(): boolean {
    return this.#stopped === undefined;
  }

  /**
   * Requests the objects of an app and returns the answer unchanged.
   *
   * @throws AppStopped if the process ends or a limit is exceeded. The process has ended then.
   */
  async ask(request: AppRequest): Promise<string> {
    const text = Buffer.from(JSON.stringify(request));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    let timer: NodeJS.Timeout | undefined;
    try {
      const outcome = await new Promise<Buffer | Error>((resolve) => {
        this.#settle = resolve;
        timer = setTimeout(() => {
          this.#stop(new AppStopped(`it runs for more than ${this.#timeout / 1000} s`, 'time'));
        }, this.#timeout);
        void this.#send(Buffer.concat([length, text]), resolve);
      });
      if (outcome instanceof Error) throw outcome;
      return outcome.toString();
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.#settle = undefined;
      clearTimeout(timer);
    }
  }

  /** Sends a request once the program runs; calls `refuse` if it never will. */
  async #send(request: Buffer, refuse: (reason: AppStopped) => void): Promise<void> {
    await this.#started;
    if (this.#stopped === undefined) this.#channel.write(request);
    else refuse(this.#stopped);
  }

  /** Ends the process. All output of the apps has been printed by then. */
  async end(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    if (this.#isStarted) this.#child.kill('SIGKILL');
    else {
      // A sandbox that is killed while it is set up can leave the process in it, which then holds the channel open. The program
      // ends by itself when it finds the channel closed.
      this.#channel.destroy();
      timer = setTimeout(() => this.#child.kill('SIGKILL'), longestStart);
    }
    await this.#closed;
    clearTimeout(timer);
    process.off('SIGUSR1', ignore);
  }

  #receive(bytes: Buffer): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#noteStart();
      // It answers nothing before a request, and has none yet.
      return;
    }
    if (this.#settle === undefined) return;
    this.#received.push(bytes);
    this.#size += bytes.length;
    if (this.#size < 4) return;
    const start = this.#size === bytes.length || (this.#received[0]?.length ?? 0) >= 4;
    if (!start) this.#received = [Buffer.concat(this.#received)];
    const length = (this.#received[0] ?? bytes).readUInt32LE();
    if (length > largestAnswer) {
      this.#stop(
        new AppStopped(`its objects have more than ${largestAnswer / 1024 / 1024} MiB as JSON`, 'size'),
      );
    } else if (this.#size >= 4 + length) {
      const answer = Buffer.concat(this.#received).subarray(4, 4 + length);
      this.#received = [];
      this.#size = 0;
      this.#settle(answer);
    }
  }

  #stop(error: AppStopped): void {
    this.#stopped ??= error;
    this.#noteStart();
    this.#settle?.(this.#stopped);
  }
}

function ignore(): void {}

/** How long a process that was ended may take to start before it is killed, in milliseconds. */
const longestStart = 10_000;

/** Returns the signal that ended a process, of which a sandbox reports the number plus 128; undefined for another code. */
function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
}

function permissionFlags(readable: readonly string[]): string[] {
  const flags = process.allowedNodeEnvironmentFlags;
  return [
    // In Node 20 the permission model is experimental.
    flags.has('--permission') ? '--permission' : '--experimental-permission',
    ...readable.map((place) => `--allow-fs-read=${place}`),
  ];
}

/** Windows does not start a program without some of its variables. */
const neededVariables = ['SystemRoot', 'SystemDrive', 'windir'];

/** Returns the environment of apps: no credentials, and nothing that differs between machines. The time zone is UTC. */
function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const clean: NodeJS.ProcessEnv = { TZ: 'UTC' };
  for (const name of neededVariables) if (environment[name] !== undefined) clean[name] = environment[name];
  return clean;
}

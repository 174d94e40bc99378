import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Bound on the start of a program on a loaded machine, in milliseconds. */
const startTimeout = 120_000;
/** How long a program may take to end before it is killed, in milliseconds. */
const stopTimeout = 10_000;

/** How long a program that ended stays so before it is started again, in milliseconds. */
const restartDelay = 1000;

/** A program that runs beside the test, until `stop` is called or the test's process ends. */
export interface RunningProgram {
  readonly name: string;
  /** Path of a file with everything that it printed. */
  readonly log: string;
  /** Whether it has ended by itself without being started again, or was stopped. */
  readonly hasEnded: boolean;
  /** The last lines of its log. */
  tail(lines: number): string;
  stop(): Promise<void>;
}

/** What a program is started with. */
export interface ProgramOptions {
  /** The name of its log. @default - the name of the program */
  readonly name?: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of its log, which is its working directory, too. */
  readonly folder: string;
  /**
   * How often it is started again after it has ended by itself, as a kubelet does: controllers end where an API server does not
   * answer for long. Each time is printed.
   *
   * @default 0
   */
  readonly restarts?: number;
}

/** Starts a program. It dies with the process of the test, however that ends. */
export function startProgram(program: string, options: ProgramOptions): RunningProgram {
  const { name = path.basename(program), folder, environment } = options;
  const log = path.join(folder, `${name}.log`);
  let left = options.restarts ?? 0;
  let isStopped = false;
  let isRestarting = false;
  const tail = (lines: number): string => readFileSync(log, 'utf8').split('\n').slice(-lines).join('\n');
  const start = (): ChildProcess => {
    const output = openSync(log, 'a');
    const started = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...options.arguments], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    started.on('exit', () => void startAgain());
    return started;
  };
  const startAgain = async (): Promise<void> => {
    if (isStopped || left === 0) return;
    left -= 1;
    process.stdout.write(`${name} ended, and is started again:\n${tail(15)}\n`);
    isRestarting = true;
    await delay(restartDelay);
    isRestarting = false;
    if (!isStopped) child = start();
  };
  let child = start();
  return {
    name,
    log,
    get hasEnded() {
      return !isRestarting && hasEnded(child);
    },
    tail,
    stop: async () => {
      isStopped = true;
      await stop(child);
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const isOver = await Promise.race([ended.then(() => true), delay(stopTimeout, false, { ref: false })]);
  if (!isOver) child.kill('SIGKILL');
  await ended;
}

/**
 * Ports that no program listens on. They are below those that Linux gives to outgoing connections (from 32768 on), one of which
 * may take a port before the program does; and each worker of the tests has a range, so that no two pick the same one.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const first = 10_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 20) * 1000;
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = first + Math.floor(Math.random() * 1000);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  // On every address: some programs listen there.
  const isListening = new Promise<boolean>((resolve) => {
    server.on('listening', () => resolve(true));
    server.on('error', () => resolve(false));
  });
  server.listen(port);
  if (!(await isListening)) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Waits until a program takes connections. @throws with the end of its log if it ends before, or does not within two minutes */
export async function listening(program: RunningProgram, port: number): Promise<void> {
  const deadline = Date.now() + startTimeout;
  while (!(await takesConnections(port))) {
    if (program.hasEnded || Date.now() > deadline)
      throw new Error(`${program.name} does not listen on port ${port}:\n${program.tail(40)}`);
    await delay(50);
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

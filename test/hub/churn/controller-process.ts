import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

// What the image runs.
const program = path.join(import.meta.dirname, '../../../build/fleetwright.mjs');
/** Where Debian's package `libfaketime` has the library that changes the time of a process. */
const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Texts of errors that only a fault of the program has. */
const programFault =
  /TypeError|ReferenceError|RangeError|is not a function|is not iterable|Cannot (?:read|set) propert|Maximum call stack|undefined|\[object Object\]|\n {4}at /u;

/** Memory of a process, in MB. */
export interface Memory {
  readonly resident: number;
  readonly heap: number;
}

/** A controller as its own process, with a clock that can jump. */
export class ControllerProcess {
  readonly name: string;
  /** Lines that only a fault of the program explains. */
  readonly faults: string[] = [];
  /** How often it acquired the lease. */
  leads = 0;
  readonly #parameters: readonly string[];
  readonly #clock: string | undefined;
  readonly #stopped = new Set<ChildProcess>();
  #child: ChildProcess;
  #port = 0;
  #last: string[] = [];

  /** @param folder - for the file with the time. Without it, the process has the clock of the machine */
  constructor(name: string, folder: string | undefined, parameters: readonly string[]) {
    this.name = name;
    this.#parameters = parameters;
    this.#clock = folder === undefined ? undefined : path.join(folder, `${name}.time`);
    this.jump('+0');
    this.#child = this.#start();
  }

  /** Whether the clocks of controllers can jump on this machine. */
  static get canJump(): boolean {
    return existsSync(faketime);
  }

  /** Sets the clock of the process, as the difference from the right time in the form of libfaketime. */
  jump(difference: string): void {
    if (this.#clock !== undefined) writeFileSync(this.#clock, `${difference}\n`);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Returns the metrics that it serves. */
  async metrics(): Promise<string> {
    return await (await this.#fetch('/metrics')).text();
  }

  get hasStarted(): boolean {
    return this.#port > 0;
  }

  async memory(): Promise<Memory> {
    const status = readFileSync(`/proc/${this.#child.pid ?? 0}/status`, 'utf8');
    const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    const heap = Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(await this.metrics())?.[1]) / 1024 / 1024;
    return { resident: Math.round(resident), heap: Math.round(heap) };
  }

  async isReady(): Promise<boolean> {
    try {
      return (await this.#fetch('/readyz')).ok;
    } catch {
      return false;
    }
  }

  async #fetch(path: string): Promise<Response> {
    return await fetch(`http://127.0.0.1:${this.#port}${path}`, { signal: AbortSignal.timeout(30_000) });
  }

  /** Ends the process as `signal` does, and starts another one. */
  async restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.stop(signal);
    this.#child = this.#start();
  }

  /** Stops the process for a time, as a machine that is suspended does. */
  async suspend(milliseconds: number): Promise<void> {
    const child = this.#child;
    child.kill('SIGSTOP');
    await delay(milliseconds);
    child.kill('SIGCONT');
  }

  async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#stopped.add(this.#child);
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }

  #start(): ChildProcess {
    this.#port = 0;
    const env = {
      ...process.env,
      ...(ControllerProcess.canJump &&
        this.#clock !== undefined && {
          LD_PRELOAD: faketime,
          FAKETIME_TIMESTAMP_FILE: this.#clock,
          FAKETIME_CACHE_DURATION: '1',
          // Periods are not affected when somebody sets a clock.
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
        }),
    };
    const child = spawn(process.execPath, [program, 'controller', ...this.#parameters], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let hasLogged = false;
    createInterface(child.stdout).on('line', (line) => {
      hasLogged = true;
      this.#read(line);
    });
    createInterface(child.stderr).on('line', (line) => this.faults.push(`stderr: ${line}`));
    child.on('exit', (code, signal) => {
      // Until the program runs, Node itself ends by the signal.
      const isEnd = signal === 'SIGKILL' || code === 0 || (signal === 'SIGTERM' && !hasLogged);
      if (this.#stopped.has(child) && isEnd) return;
      this.faults.push(`ended with ${signal ?? code}: ${this.#last.slice(-3).join('\n')}`);
    });
    return child;
  }

  #read(line: string): void {
    this.#last = [...this.#last.slice(-40), line];
    if (programFault.test(line)) this.faults.push(line);
    const { message, port } = parsed(line);
    if (message === undefined) this.faults.push(`no line of a log: ${line}`);
    if (message === 'started' && typeof port === 'number') this.#port = port;
    if (message === 'leads') this.leads += 1;
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
